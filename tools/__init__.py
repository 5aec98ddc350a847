"""Programs for developers: they run in a checkout, and the wheel does not contain them."""
