"""What stands between the network and the application, so that no thread waits for a client."""
