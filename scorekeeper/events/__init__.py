"""What happens at a table: how events are declared, those of every game, and their sentences."""
