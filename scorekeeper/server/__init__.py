"""The gunicorn worker between the network and the application: no thread waits for a client."""
