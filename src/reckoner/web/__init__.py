"""A small server on this computer: the page, and what it asks for."""
