"""The texts that have to be translated, and the catalogues with their translations."""
