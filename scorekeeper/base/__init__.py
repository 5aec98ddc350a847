"""What every room may use, and nothing about cards: errors, language, paths."""
