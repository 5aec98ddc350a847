"""Pages that everybody can read by a public address."""
