"""A power failure loses what was not synced; the store must have synced what it said is kept."""

import random
from pathlib import Path

import pytest

from tests.faults.recorder import Note
from tests.faults.unsynced import SECTOR, Disk, failures
from tests.serving import on_a_loop


@on_a_loop
async def test_what_was_acknowledged_survives_a_loss_of_all_that_was_not_synced(
    tmp_path: Path,
) -> None:
    outcome = await failures(tmp_path, 25, seconds=1.0, pairs=5)
    assert not outcome.faults
    assert outcome.numbers["syncs"] > 10


@pytest.mark.parametrize("synchronous", ["OFF"])
@on_a_loop
async def test_a_store_that_does_not_sync_is_found_out(tmp_path: Path, synchronous: str) -> None:
    outcome = await failures(tmp_path, 10, seconds=1.0, synchronous=synchronous, pairs=5)
    assert any("lost" in fault or "cannot be opened" in fault for fault in outcome.faults)


def test_a_disk_keeps_what_was_synced_and_any_sectors_of_the_rest() -> None:
    disk = Disk(random.Random(1))
    disk.follow(Note(0.0, "write", "file", 0, b"a" * 3 * SECTOR))
    disk.follow(Note(0.0, "sync", "file"))
    disk.follow(Note(0.0, "write", "file", SECTOR // 2, b"b" * 2 * SECTOR))
    found = {disk.after_power_failure()["file"] for _ in range(200)}
    assert len(found) == 2**3  # half a sector, a whole one and another half, each there or not
    for content in found:
        assert len(content) == 3 * SECTOR
        assert content[: SECTOR // 2] == b"a" * (SECTOR // 2)
    disk.follow(Note(0.0, "truncate", "file", 1))
    disk.follow(Note(0.0, "sync", "file"))
    assert disk.after_power_failure() == {"file": b"a"}


def test_a_removed_file_may_come_back_until_its_folder_is_synced() -> None:
    disk = Disk(random.Random(1))
    disk.follow(Note(0.0, "write", "journal", 0, b"old"))
    disk.follow(Note(0.0, "sync", "journal"))
    disk.follow(Note(0.0, "remove", "journal"))
    assert {bool(disk.after_power_failure()) for _ in range(50)} == {True, False}
    disk.follow(Note(0.0, "sync", "wal"))
    assert {*disk.after_power_failure()} == {"wal"}
