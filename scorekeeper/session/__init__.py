"""The structure of a session: its matches and hands, corrections, disputes and signatures."""
