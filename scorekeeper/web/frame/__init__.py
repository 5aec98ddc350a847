"""The frame of every page: navigation, static files and refusals."""
