"""Code shared by related games."""
