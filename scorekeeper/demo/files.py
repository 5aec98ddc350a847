"""The store of the demos: in memory, or a file of the data folder if several processes share it."""

import shutil
from pathlib import Path
from typing import Final

from scorekeeper.config import Settings
from scorekeeper.store import MemoryStore, Store, migrate, open_store
from scorekeeper.store.keyring import DEMO_PREFIX

FOLDER: Final = "demo"  # in the data folder


def demo_folder(settings: Settings) -> Path:
    """Return the folder of the demos' store, for several processes."""
    return settings.data_dir / FOLDER


def open_demo_store(settings: Settings) -> Store:
    """Return a new store in memory, or for several processes the one that they share."""
    shared = settings.workers > 1
    store = open_store(_url(settings)) if shared else MemoryStore()
    store.id_prefix = DEMO_PREFIX
    return store


def prepare_demo_store(settings: Settings) -> None:
    """Remove the demos of an earlier start, and make an empty store if processes share it."""
    remove_demo_store(settings)
    if settings.demo_tables and settings.workers > 1:
        demo_folder(settings).mkdir(mode=0o700, parents=True)
        migrate(_url(settings))


def remove_demo_store(settings: Settings) -> None:
    """Remove the file with the demos, if there is one."""
    shutil.rmtree(demo_folder(settings), ignore_errors=True)


def _url(settings: Settings) -> str:
    """Return the URL of the store that several processes share."""
    return f"sqlite:///{demo_folder(settings) / 'demo.db'}"
