"""The stores of the tests of the store."""

from tests.store.conftest import home, quick_folder, shared_postgres, sqlite, template

__all__ = ["home", "quick_folder", "shared_postgres", "sqlite", "template"]
