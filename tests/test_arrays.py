"""Arrays kept in a file: they come back, or the file is as good as absent."""

from pathlib import Path

import numpy as np
import pytest

from kwartet.core import arrays

LABEL = {"what": "squares", "format": 1}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "squares.arrays"
    arrays.save(
        path,
        LABEL,
        {
            "squares": np.arange(100, dtype=np.int16).reshape(4, 25) ** 2,
            "none": np.zeros(0),
            "halves": np.arange(7) / 2,
        },
    )
    return path


def test_arrays_come_back_as_they_were(file: Path) -> None:
    found = arrays.load(file, LABEL)
    assert found is not None
    assert list(found) == ["squares", "none", "halves"]
    assert found["squares"].dtype == np.int16
    assert (found["squares"] == np.arange(100).reshape(4, 25) ** 2).all()
    assert found["none"].shape == (0,)
    assert (found["halves"] == np.arange(7) / 2).all()


def test_writing_to_them_leaves_the_file_alone(file: Path) -> None:
    before = file.read_bytes()
    found = arrays.load(file, LABEL)
    assert found is not None
    found["halves"][:] = 9
    assert file.read_bytes() == before


def test_nothing_else_is_left_in_the_folder(file: Path) -> None:
    assert list(file.parent.iterdir()) == [file]


def test_another_label_is_another_file(file: Path) -> None:
    assert arrays.load(file, LABEL | {"format": 2}) is None


def test_what_is_absent_foreign_or_damaged_is_none(file: Path) -> None:
    good = file.read_bytes()
    assert arrays.load(file.parent / "absent", LABEL) is None
    assert arrays.load(file.parent, LABEL) is None
    for bad in (b"", b"something else", good[:10], good[:-1], good + b"\0"):
        file.write_bytes(bad)
        assert arrays.load(file, LABEL) is None
    for place in range(0, len(good), 7):
        damaged = bytearray(good)
        damaged[place] ^= 1
        file.write_bytes(damaged)
        assert arrays.load(file, LABEL) is None, place
