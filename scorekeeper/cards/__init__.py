"""Cards and packs, and the recorded tricks of a hand."""
