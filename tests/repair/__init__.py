"""How well what went wrong in a record is found again."""
