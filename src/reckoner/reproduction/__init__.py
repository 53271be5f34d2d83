"""The paper's experiments made again: one file each."""
