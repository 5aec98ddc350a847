"""Answers that take long: computed in a helper process, once for equal requests."""
