"""How fast the parts and the whole are."""
