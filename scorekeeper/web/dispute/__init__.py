"""A hand that is disputed: the desk, what would be corrected, and what that comes to."""
