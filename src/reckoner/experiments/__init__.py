"""Measurements: how right, how fast, and the paper's experiments made again."""
