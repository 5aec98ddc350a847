"""The stores of the tests of the store."""

from tests.store.conftest import (
    home,
    migrated_schema,
    quick_folder,
    shared_postgres,
    sqlite,
    template,
)

__all__ = ["home", "migrated_schema", "quick_folder", "shared_postgres", "sqlite", "template"]
