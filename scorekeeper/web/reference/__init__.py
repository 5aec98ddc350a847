"""Pages that need no table: rule books, the API, and logs to score or verify."""
