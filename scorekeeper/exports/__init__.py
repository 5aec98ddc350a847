"""What a session came to, in the forms in which people download it."""
