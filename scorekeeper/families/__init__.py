"""What some games share."""
