"""The stores that a test of the service can ask for."""

from tests.store.conftest import (
    home,
    migrated_schema,
    quick_folder,
    shared_postgres,
    sqlite,
    template,
)

__all__ = ["home", "migrated_schema", "quick_folder", "shared_postgres", "sqlite", "template"]
