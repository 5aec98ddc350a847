"""Fixtures of stores for tests of the service."""

from tests.store.conftest import (
    home,
    migrated_schema,
    quick_folder,
    shared_postgres,
    sqlite,
    template,
)

__all__ = ["home", "migrated_schema", "quick_folder", "shared_postgres", "sqlite", "template"]
