"""The languages in which people read us, and what else differs from reader to reader."""
