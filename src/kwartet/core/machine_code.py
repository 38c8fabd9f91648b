"""Machine code on disk: found by what it was made from, whole or not there.

A folder holds what one Python, NumPy, Numba, processor and choice of Numba's settings made;
in it each kernel has a file for each list of types, named after a digest of all that went
into it (`core.fingerprints`). Where sources lie does not matter, and an edit costs only the
kernels it changes. A file is a mark, a checksum and a pickle; nothing is unpickled before its
checksum was right. Several processes may write the same file: each writes a draft of its own,
and one replaces the other.
"""

import hashlib
import os
import pickle
import sys
import tempfile
import time
import warnings
from functools import cache
from pathlib import Path
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from kwartet.core import fingerprints

UNUSED_DAYS: Final = 30  # a file goes when nobody used it for so long
MARK: Final = b"kwartet machine code 1\n"
_DAY: Final = 86400
_SUM_BYTES: Final = 16
_ELSEWHERE: Final = " Set KWARTET_CACHE to a folder of yours that can be written."
_PACKAGE: Final = Path(__file__).parents[1]
_COMPILING: Final = ("kernels.py", "verbs.py")  # decide how kernels are compiled
# Settings of Numba that change no machine code, or none of kernels.
_HARMLESS: Final = (
    *("CACHE_", "CHROME_TRACE", "COLOR_SCHEME", "CUDA", "FULL_TRACEBACKS", "NUMBA_DEFAULT_NUM"),
    *("NUMBA_NUM_THREADS", "THREADING_LAYER"),
)


def user_cache() -> Path:
    """Where this user's derived files live; `KWARTET_CACHE` moves it."""
    if chosen := os.environ.get("KWARTET_CACHE"):
        return Path(chosen)
    import platformdirs  # slow to import

    return Path(platformdirs.user_cache_dir("kwartet"))


class Drawer:
    """One kernel's machine code; to Numba it is a cache."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        function = kernel.py_func
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        """The folder it lies in, empty if nothing can be kept."""
        return str(_folder(_conditions()) or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for these types as it was kept, if it was."""
        path = self._path(sig)
        data = None if path is None else _read(path)
        if data is None:
            return None
        # Machine code needs Numba's runtime, not all that Numba can compile: loading that as
        # `target_context.refresh()` does takes longer than everything else (more with SciPy).
        rtsys.initialize(target_context)
        return CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the kernel for these types."""
        path = self._path(sig)
        if path is not None and not data.library.has_dynamic_globals:
            _write(path, dumps(data._reduce()))

    def flush(self) -> None:
        """Forget nothing: what was compiled stays true."""

    def _path(self, sig: Any) -> Path | None:
        kinds = ", ".join(str(kind) for kind in getattr(sig, "args", sig))
        if " at 0x" in kinds:  # of a function that exists in this process only
            return None
        try:
            made_of = fingerprints.fingerprint([self._kernel], kinds)
        except fingerprints.Unknown as problem:
            _warn_once(str(problem), "")
            return None
        folder = _folder(_conditions())
        return folder and folder / f"{self._name}.{_digest(made_of, kinds.encode())}"


def was_compiled(layer: str, dtype: np.dtype[Any]) -> bool:
    """Whether all that this layer needs for a game's record is kept, or cannot be."""
    mark = _mark(layer, dtype)
    return mark is None or mark.exists()


def mark_compiled(layer: str, dtype: np.dtype[Any]) -> None:
    """Remember that all that this layer needs for this record has been compiled."""
    mark = _mark(layer, dtype)
    if mark is not None:
        _write(mark, b"")


def _mark(layer: str, dtype: np.dtype[Any]) -> Path | None:
    """Named after what kernels may be made from, as far as that is known without asking each."""
    record = fingerprints.record_name(dtype)
    try:
        rules = fingerprints.fingerprint(fingerprints.all_rules(dtype), record)
    except fingerprints.Unknown:
        return None
    folder = _folder(_conditions())
    digest = _digest(rules, record.encode(), _text())
    return folder and folder / f"{layer}.{digest}.compiled"


@cache
def _text() -> bytes:
    """A digest of all sources that kernels of any game are made from."""
    folders = (_PACKAGE / layer for layer in ("core", "bots", "envs"))
    sources = sorted(path for folder in folders for path in folder.glob("*.py"))
    return b"".join(hashlib.blake2b(path.read_bytes()).digest() for path in sources)


def _read(path: Path) -> bytes | None:
    """What a file holds, if it is whole."""
    try:
        content = path.read_bytes()
        if time.time() - path.stat().st_mtime > _DAY:
            os.utime(path)
    except OSError:
        return None
    data = content[len(MARK) + _SUM_BYTES :]
    return data if content == _packed(data) else None


def _write(path: Path, data: bytes) -> None:
    """Keep a file, all at once or not at all."""
    try:
        _remove_unused(path.parents[1])
        handle, draft = tempfile.mkstemp(suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_packed(data))
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)  # noqa: PTH105
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as problem:
        _warn_once(str(problem), _ELSEWHERE)


def _packed(data: bytes) -> bytes:
    return MARK + hashlib.blake2b(data, digest_size=_SUM_BYTES).digest() + data


def _digest(*parts: bytes) -> str:
    return hashlib.blake2b(b"\0".join(parts), digest_size=10).hexdigest()


@cache
def _folder(conditions: str) -> Path | None:
    """Where machine code made under these conditions is kept; None if it cannot be."""
    kernels = user_cache() / "kernels"
    folder = kernels / _digest(conditions.encode())
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owners = {path.stat().st_uid for path in (kernels, folder)}
    except OSError as problem:
        _warn_once(str(problem), _ELSEWHERE)
        return None
    if hasattr(os, "geteuid") and not owners <= {os.geteuid(), 0}:
        _warn_once(f"{kernels} belongs to somebody else", _ELSEWHERE)
        return None
    return folder


def _conditions() -> str:
    """What machine code depends on besides what it is made from."""
    settings = vars(numba.config)
    return _machine() + repr(
        [
            (name, settings[name])
            for name in sorted(settings)
            if name.isupper() and not name.startswith(("_", *_HARMLESS))
        ]
    )


@cache
def _machine() -> str:
    versions = (sys.version, np.__version__, numba.__version__, llvmlite.__version__)
    cpu = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    compiling = [_digest((_PACKAGE / "core" / name).read_bytes()) for name in _COMPILING]
    return repr((versions, cpu, compiling))


@cache
def _warn_once(problem: str, advice: str) -> None:
    warnings.warn(
        f"Compiled rules are not kept, every start compiles anew: {problem}.{advice}",
        RuntimeWarning,
        stacklevel=2,
    )


@cache
def _remove_unused(kernels: Path) -> None:
    """Once a process: remove what nobody used for long, and drafts that nobody finished."""
    now = time.time()
    for path in kernels.glob("*/*"):
        age = now - path.stat().st_mtime
        if age > UNUSED_DAYS * _DAY or (path.suffix == ".part" and age > _DAY):
            path.unlink(missing_ok=True)
