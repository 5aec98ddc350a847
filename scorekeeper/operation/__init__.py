"""What whoever runs the service sees of it: the log and the figures, and where it is reached."""
