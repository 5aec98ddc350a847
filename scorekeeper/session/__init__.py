"""The structure of an evening: its matches and hands, corrections, disputes and signatures."""
