"""The log: its canonical form and chain, how it is read and written, and its schemas."""
