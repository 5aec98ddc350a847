"""Managing a table: keys and players, another match, closing the session, and its files."""
