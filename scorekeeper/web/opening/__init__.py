"""Opening a table, and the links and codes with which other phones join it."""
