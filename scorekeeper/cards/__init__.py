"""Cards and packs, and the tricks of a hand as recorded."""
