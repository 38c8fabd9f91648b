"""SQLite's way to the disk, written down: every write, truncation, removal and sync of a process.

`record` puts a layer between SQLite and its files, in the SQLite library that Python's own
`sqlite3` uses, by that library's interface for such layers. It changes nothing; it notes
what is done, in order and with the time, in a file that survives the process.

    python -m tests.faults.recorder FILE SYNCHRONOUS COMMAND…

runs a command of Kwartet's so. SYNCHRONOUS is `FULL`, or another word of SQLite's in its
place: what a database would do whose settings were wrong.
"""

import ctypes
import os
import struct
import sys
import time
from collections.abc import Iterator
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

Deed = Literal["write", "truncate", "sync", "remove"]
DEEDS: Final[tuple[Deed, ...]] = ("write", "truncate", "sync", "remove")
HEAD: Final = struct.Struct("<dBqHI")  # time, deed, offset, lengths of the path and of the data


@dataclass(frozen=True)
class Note:
    """One deed."""

    at: float  # of the machine's steady clock
    deed: Deed
    path: str
    offset: int = 0  # of a truncation: the new length; of a removal, 1: the folder is synced
    data: bytes = b""


def notes(file: Path) -> Iterator[Note]:
    """What was written down, in order; what the process was writing when it ended is left out."""
    text, start = file.read_bytes(), 0
    while start + HEAD.size <= len(text):
        at, deed, offset, path, data = HEAD.unpack_from(text, start)
        start += HEAD.size
        if start + path + data > len(text):
            return
        name = os.fsdecode(text[start : start + path])
        yield Note(at, DEEDS[deed], name, offset, text[start + path : start + path + data])
        start += path + data


# The layer ------------------------------------------------------------------------------

WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
REMOVE = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)


class Methods(Structure):
    """The beginning of `sqlite3_io_methods`, and room for the rest of its third version."""

    _fields_ = [
        ("version", c_int),
        *((name, c_void_p) for name in ("close", "read", "write", "truncate", "sync")),
        ("rest", c_void_p * 13),
    ]


class File(Structure):
    """The beginning of `sqlite3_file`."""

    _fields_ = [("methods", POINTER(Methods))]


class Layer(Structure):
    """The beginning of `sqlite3_vfs`, and room for the rest of its third version."""

    _fields_ = [
        ("version", c_int),
        ("size", c_int),
        ("longest", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", OPEN),
        ("remove", REMOVE),
        ("rest", c_void_p * 14),
    ]


def record(file: Path) -> None:
    """From here on write down what SQLite does to files in this process."""
    library = _library()
    library.sqlite3_vfs_find.restype = POINTER(Layer)
    under: Any = library.sqlite3_vfs_find(None).contents
    log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    _Recorder(under, log).stand_before(library)


def _library() -> Any:
    """The SQLite that Python's module was linked with."""
    import _sqlite3

    home = getattr(_sqlite3, "__file__", None)  # None: it is a part of Python itself
    return ctypes.CDLL(home)


class _Recorder:
    """Passes everything on to the layer below."""

    def __init__(self, under: Layer, log: int) -> None:
        self._under = under
        self._log = log
        self._paths: dict[int, str] = {}  # by the address of the open file
        self._methods: dict[int, Methods] = {}  # by the address of those they stand for
        self._callbacks: list[Any] = []

    def stand_before(self, library: Any) -> None:
        """Become the layer that is used where none is asked for."""
        layer = Layer()
        ctypes.memmove(ctypes.byref(layer), ctypes.byref(self._under), ctypes.sizeof(Layer))
        layer.name, layer.next = b"recorder", None
        layer.open, layer.remove = OPEN(self._open), REMOVE(self._remove)
        self._layer = layer
        _kept.append(self)
        assert library.sqlite3_vfs_register(ctypes.byref(layer), 1) == 0

    def _note(self, deed: Deed, path: str, offset: int = 0, data: bytes = b"") -> None:
        name = os.fsencode(path)
        head = HEAD.pack(time.monotonic(), DEEDS.index(deed), offset, len(name), len(data))
        os.write(self._log, head + name + data)

    def _open(self, _: int, name: int, file: int, flags: int, got: int) -> int:
        under = ctypes.pointer(self._under)
        outcome: int = self._under.open(ctypes.cast(under, c_void_p), name, file, flags, got)
        opened = File.from_address(file)
        if outcome == 0 and name:  # what has no name is nobody's to find again
            path = ctypes.cast(name, c_char_p).value or b""
            self._paths[file] = os.fsdecode(path)
            address = ctypes.addressof(opened.methods.contents)
            if address not in self._methods:
                self._methods[address] = self._noted(opened.methods.contents)
            opened.methods = ctypes.pointer(self._methods[address])
        return outcome

    def _noted(self, real: Methods) -> Methods:
        """The same methods, of which three write down what they do."""
        methods = Methods()
        ctypes.memmove(ctypes.byref(methods), ctypes.byref(real), ctypes.sizeof(Methods))
        write, truncate = WRITE(real.write), TRUNCATE(real.truncate)
        sync = SYNC(real.sync)

        def noted_write(file: int, data: int, amount: int, offset: int) -> int:
            self._note("write", self._paths[file], offset, ctypes.string_at(data, amount))
            return int(write(file, data, amount, offset))

        def noted_truncate(file: int, size: int) -> int:
            self._note("truncate", self._paths[file], size)
            return int(truncate(file, size))

        def noted_sync(file: int, flags: int) -> int:
            outcome = int(sync(file, flags))
            if outcome == 0:
                self._note("sync", self._paths[file])
            return outcome

        for name, kind, method in (
            ("write", WRITE, noted_write),
            ("truncate", TRUNCATE, noted_truncate),
            ("sync", SYNC, noted_sync),
        ):
            callback = kind(method)
            self._callbacks.append(callback)
            setattr(methods, name, ctypes.cast(callback, c_void_p).value)
        return methods

    def _remove(self, _: int, name: bytes, durably: int) -> int:
        self._note("remove", os.fsdecode(name), durably)
        under = ctypes.cast(ctypes.pointer(self._under), c_void_p)
        return int(self._under.remove(under, name, durably))


_kept: list[_Recorder] = []  # SQLite holds pointers into them until the process ends


def main() -> None:
    """Run a command of Kwartet's with its writes recorded."""
    file, synchronous, *command = sys.argv[1:]
    record(Path(file))
    if synchronous != "FULL":
        _weaken(synchronous)
    from kwartet.cli import main as kwartet

    sys.argv = ["kwartet", *command]
    kwartet()


def _weaken(synchronous: str) -> None:
    """Let the store's connections be less careful than they wish to be."""
    from kwartet.store.sqlite import SqliteConnection

    careful = SqliteConnection.__init__

    def careless(self: SqliteConnection, path: Path, *, readonly: bool = False) -> None:
        careful(self, path, readonly=readonly)
        self.raw.execute(f"PRAGMA synchronous = {synchronous}")

    SqliteConnection.__init__ = careless  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
