"""Entry at the table: what can be recorded next as forms, and what the forms say as events."""
