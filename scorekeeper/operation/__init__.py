"""For operators: the server log, metrics, and the address of the service."""
