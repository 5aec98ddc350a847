"""What a session came to, in the forms in which people take it away."""
