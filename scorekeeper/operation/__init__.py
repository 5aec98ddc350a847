"""What whoever runs the service sees of it: the log, figures, and whether it is ready."""
