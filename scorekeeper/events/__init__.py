"""Events at a table: their declaration, the events that all games share, and their sentences."""
