"""Named arrays in one file that is mapped into memory, not read.

A file is a mark, a checksum of all that follows, and a head in JSON: a label that
says what it is, and where each array lies. It appears whole or not at all.
"""

import json
import os
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

MARK: Final = b"kwartet arrays 1\n"
ALIGNMENT: Final = 64
_NUMBER: Final = 4  # bytes of the checksum and of the head's length
_CHUNK: Final = 1 << 20


def save(path: Path, label: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write the arrays under their names, in place of what `path` held before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w+b") as file:
            _write(file, label, arrays)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _write(
    file: BinaryIO, label: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> None:
    places: dict[str, tuple[str, tuple[int, ...], int]] = {}
    end = 0  # counted from the end of the head
    for name, array in arrays.items():
        places[name] = array.dtype.str, array.shape, end
        end += -(-array.nbytes // ALIGNMENT) * ALIGNMENT
    head = json.dumps({"label": dict(label), "arrays": places, "bytes": end}).encode()
    head += b" " * (-(len(MARK) + 2 * _NUMBER + len(head)) % ALIGNMENT)
    file.write(MARK + bytes(_NUMBER) + len(head).to_bytes(_NUMBER) + head)
    begin = file.tell()
    for name, array in arrays.items():
        file.seek(begin + places[name][2])
        file.write(np.ascontiguousarray(array).data)
    file.truncate(begin + end)
    checksum = _checksum(file)
    file.seek(len(MARK))
    file.write(checksum.to_bytes(_NUMBER))


def _checksum(file: BinaryIO) -> int:
    """Of everything after the checksum's own place."""
    file.flush()
    file.seek(len(MARK) + _NUMBER)
    checksum = 0
    while chunk := file.read(_CHUNK):
        checksum = zlib.crc32(chunk, checksum)
    return checksum


def load(path: Path, label: Mapping[str, Any]) -> dict[str, npt.NDArray[Any]] | None:
    """The arrays of a file with this very label; None if there is no such sound file."""
    try:
        with path.open("rb") as file:
            mark, checksum = file.read(len(MARK)), file.read(_NUMBER)
            length = int.from_bytes(file.read(_NUMBER))
            if mark != MARK or _checksum(file) != int.from_bytes(checksum):
                return None
            file.seek(len(MARK) + 2 * _NUMBER)
            head = json.loads(file.read(length))
        if head["label"] != dict(label):
            return None
        # Pages are private to the process and copied if written to, so the file stays as it is.
        data = np.asarray(np.memmap(path, np.uint8, "c", len(MARK) + 2 * _NUMBER + length))
    except (OSError, ValueError):
        return None
    return {
        name: np.ndarray(shape, dtype, data, offset)
        for name, (dtype, shape, offset) in head["arrays"].items()
    }
