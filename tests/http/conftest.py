"""The clients and tables of the tests of the API."""

from tests.api.conftest import on_memory, table

__all__ = ["on_memory", "table"]
