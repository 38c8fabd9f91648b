"""State records and compiled functions.

`kernel` compiles a plain Python function with Numba: no GIL, kept on disk. Numba's own
cache does not notice that a kernel in another file changed, and looks for machine code
under the path of its source. Here machine code is found by what it was made from: its
folder is named after a digest of every source file a kernel may come from and of the
machine, wherever those sources lie. Games from outside the package have a folder of their
own, so that they cost nobody else's machine code.

With NUMBA_DISABLE_JIT=1 every kernel stays the Python function it is.
"""

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
import platformdirs
from numba import types
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

Function = TypeVar("Function", bound=Callable[..., Any])

JIT: Final = not numba.config.DISABLE_JIT
UNUSED_DAYS: Final = 30  # a cache of other sources goes when nobody used it for so long

# Numba names a record in machine code by a number that counts the types of the process. Two
# games that two processes compiled would have the same names, and one's code run for the other.
types.Record.mangling_args = property(
    lambda record: (
        "Record",
        (int.from_bytes(hashlib.blake2b(record.name.encode(), digest_size=7).digest()),),
    )
)

_PACKAGE: Final = Path(__file__).parents[1]
_LAYERS: Final = tuple(_PACKAGE / layer for layer in ("core", "games", "bots", "envs"))
_foreign_folders: list[Path] = []  # where else kernels come from
_foreign_records: set[str] = set()  # Numba's names of the records of games from elsewhere


def record_dtype(*fields: tuple[Any, ...]) -> np.dtype[np.record]:
    """A packed record type: no padding, so that equal states have equal bytes."""
    dtype: np.dtype[Any] = np.dtype((np.record, list(fields)))
    return dtype


def kernel(function: Function) -> Function:
    """Compile `function` on first use, without the GIL and cached on disk."""
    return _compiled(function, _nrt=True)  # else it would be as its first caller is


def lean_kernel(function: Function) -> Function:
    """A kernel that makes no arrays and returns none.

    It does not count who holds the arrays it is given; counting costs more than the
    work in short kernels that are called millions of times.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: Function) -> Function:
    """A lean kernel that becomes part of its compiled callers.

    For long argument lists: a tuple of arrays is passed on as seven numbers for each.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def _compiled(function: Function, **options: bool) -> Function:
    if not JIT:
        return function
    dispatcher = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)(
        function
    )
    _widen_calls(dispatcher)
    source = Path(function.__code__.co_filename)
    if source.exists() and function.__closure__ is None:  # not typed into a prompt
        add_sources(source.parent)
        dispatcher._cache = _Drawer(function, source)
    return dispatcher


def compiled_for(function: Function, *arguments: Any) -> Function:
    """The kernel as it is for arguments of these very types, without asking for them again.

    A kernel finds its machine code by its arguments' types at every call, which for a record
    takes longer than a step. Only for loops in Python: other types would be misread.
    """
    if not JIT:
        return function
    dispatcher: Any = function
    signature = tuple(numba.typeof(argument) for argument in arguments)
    dispatcher.compile(signature)
    entry: Function = dispatcher.overloads[signature].entry_point
    return entry


def _widen_calls(dispatcher: Any) -> None:
    """Let compiled callers pass every whole number as int64.

    Else Numba compiles a kernel again for each width of integer and for each constant
    it is ever called with, which triples the time a cold start takes.
    """
    resolve = dispatcher.get_call_template

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        return resolve(tuple(_wide(kind) for kind in arguments), keywords)

    dispatcher.get_call_template = get_call_template


def _wide(kind: Any) -> Any:
    kind = types.unliteral(kind)
    narrow = isinstance(kind, types.Integer) and kind.bitwidth < 64
    return types.int64 if narrow else kind


def add_sources(folder: Path) -> None:
    """Let machine code also depend on the sources in `folder`: a game from elsewhere."""
    if _is_foreign(folder) and folder not in _foreign_folders:
        _foreign_folders.append(folder)


def add_record(dtype: np.dtype[np.record], function: Any) -> None:
    """Know whose record type it is: that of the game `function` is a kernel of."""
    if _is_foreign(Path(function.py_func.__code__.co_filename)):
        _foreign_records.add(numba.from_dtype(dtype).name)


def was_compiled(name: str, dtype: np.dtype[np.record]) -> bool:
    """Whether all of this name was compiled for this record, or could not be kept anyway."""
    if not JIT:
        return True
    folder = _cache_folder(numba.from_dtype(dtype).name in _foreign_records)
    return folder is None or (folder / f"{name}.compiled").exists()


def mark_compiled(name: str, dtype: np.dtype[np.record]) -> None:
    """Remember that all of this name has been compiled for this record."""
    folder = _cache_folder(numba.from_dtype(dtype).name in _foreign_records)
    if folder is not None:
        (folder / f"{name}.compiled").touch()


def user_cache() -> Path:
    """Where this user's derived files live; `KWARTET_CACHE` moves it."""
    return Path(os.environ.get("KWARTET_CACHE") or platformdirs.user_cache_dir("kwartet"))


class _Drawer:
    """One kernel's machine code, a file for each list of types; to Numba it is a cache."""

    def __init__(self, function: Any, source: Path) -> None:
        self._is_foreign = _is_foreign(source)
        self._name = f"{source.parent.name}.{source.stem}.{function.__qualname__}"
        self._code = function.__code__.co_code + _content(source)

    @property
    def cache_path(self) -> str:
        return str(_cache_folder(self._is_foreign) or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for these types as it was kept, if it was."""
        path = self._path(sig)
        if path is None or not path.exists():
            return None
        target_context.refresh()
        return CompileResult._rebuild(target_context, *pickle.loads(path.read_bytes()))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the kernel for these types; another process may do the same just now."""
        path = self._path(sig)
        if path is None or data.library.has_dynamic_globals:
            return
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as draft:
            draft.write(dumps(data._reduce()))
        Path(draft.name).replace(path)

    def _path(self, sig: Any) -> Path | None:
        kinds = ", ".join(str(kind) for kind in getattr(sig, "args", sig))
        if " at 0x" in kinds:  # of a function that exists in this process only
            return None
        folder = _cache_folder(
            self._is_foreign or any(record in kinds for record in _foreign_records)
        )
        if folder is None:
            return None
        digest = hashlib.blake2b(self._code + kinds.encode(), digest_size=8).hexdigest()
        return folder / f"{self._name}.{digest}"


def _is_foreign(path: Path) -> bool:
    return not any(path.is_relative_to(layer) for layer in _LAYERS)


def _cache_folder(is_foreign: bool) -> Path | None:
    """The folder for machine code of the present sources; None if none can be written."""
    return _folder_for((*_LAYERS, *(_foreign_folders if is_foreign else ())))


@cache
def _folder_for(sources: tuple[Path, ...]) -> Path | None:
    kernels = user_cache() / "kernels"
    folder = kernels / _digest(sources)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _remove_unused(kernels)
    except OSError as problem:
        warnings.warn(
            f"Compiled rules are not kept, every start compiles anew: {problem}. "
            "Set KWARTET_CACHE to a folder that can be written.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


def _digest(folders: tuple[Path, ...]) -> str:
    """A name for the state of the sources in these folders, on this machine."""
    digest = hashlib.blake2b(_machine().encode(), digest_size=10)
    for folder in folders:
        for path in sorted(folder.rglob("*.py") if folder in _LAYERS else folder.glob("*.py")):
            digest.update(str(path.relative_to(folder.parent)).encode() + b"\0")
            digest.update(_content(path))
    return digest.hexdigest()


@cache
def _content(path: Path) -> bytes:
    return hashlib.blake2b(path.read_bytes()).digest()


@cache
def _machine() -> str:
    """What machine code depends on besides its sources."""
    cpu = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    return f"{sys.version} {numba.__version__} {np.__version__} {cpu}"


def _remove_unused(kernels: Path) -> None:
    for folder in kernels.iterdir():
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)
