"""What anybody can ask for without a table: rule books, the API, a log scored or verified."""
