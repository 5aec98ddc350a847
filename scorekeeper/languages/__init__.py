"""Message catalogues, amounts of money, and the language and time zone of a reader."""
