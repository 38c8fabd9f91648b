"""What an operator watches besides what happens at tables: the process, its store, its backups."""

import math
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, Info, ProcessCollector

from kwartet.core.errors import GameError
from kwartet.store import BACKED_UP, Store


class Condition:
    """Gauges of a server's condition; `look` brings them up to date."""

    def __init__(self, registry: CollectorRegistry) -> None:
        ProcessCollector(registry=registry)  # when it started, processor, memory, descriptors
        self._info = Info("kwartet", "What runs here", registry=registry)
        self._answers = Gauge("kwartet_store_up", "Whether the database answers", registry=registry)
        self._bytes = Gauge("kwartet_database_bytes", "Size of the database", registry=registry)
        self._entries = Gauge("kwartet_entries", "Entries in the log, about", registry=registry)
        self._backup = Gauge(
            "kwartet_backup_timestamp_seconds", "When the last backup was made", registry=registry
        )

    async def look(self, store: Store, folder: Path, version: str) -> None:
        """Ask the database and look for a backup; numbers that nobody knows are NaN."""
        kind = "postgresql" if store.is_shared else "sqlite"
        self._info.info({"version": version, "database": kind})
        size = entries = math.nan
        try:
            size, entries = await store.extent()
            self._answers.set(1)
        except GameError:
            self._answers.set(0)
        self._bytes.set(size)
        self._entries.set(entries)
        mark = folder / BACKED_UP
        self._backup.set(mark.stat().st_mtime if mark.exists() else math.nan)
