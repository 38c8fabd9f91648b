"""State records and compiled functions.

`kernel` compiles a plain Python function with Numba: no GIL, cached on disk.
Numba does not notice that a kernel in another file changed, so the cache
directory is named after a digest of every source file a kernel may come from;
without that, stale machine code would run.

With NUMBA_DISABLE_JIT=1 every kernel stays the Python function it is.
"""

import fcntl
import hashlib
import os
import shutil
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
import platformdirs
from numba import types

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

_dispatchers: list[Any] = []
_PACKAGE: Final = Path(__file__).parents[1]
_LAYERS: Final = [_PACKAGE / layer for layer in ("core", "games", "bots", "envs")]
_source_folders: list[Path] = [*_LAYERS]  # where kernels come from


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
    source = Path(function.__code__.co_filename)
    if source.exists():
        add_sources(source.parent)
    dispatcher = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, **options)(
        function
    )
    _widen_calls(dispatcher)
    if source.exists():  # not typed into a prompt
        _dispatchers.append(dispatcher)
        _cache_at(_cache_folder(), [dispatcher])
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
    """Let the cache also depend on the sources in `folder`: a game from outside the package."""
    if folder in _source_folders or any(folder.is_relative_to(layer) for layer in _LAYERS):
        return
    _source_folders.append(folder)
    if JIT:
        _cache_at(_cache_folder(), _dispatchers)


def was_compiled(name: str) -> bool:
    """Whether everything under this name was compiled before, or could not be kept anyway."""
    folder = _cache_folder()
    return not JIT or folder is None or (folder / f"{name}.compiled").exists()


def mark_compiled(name: str) -> None:
    """Remember that everything under this name has been compiled."""
    folder = _cache_folder()
    if folder is not None:
        (folder / f"{name}.compiled").touch()


def user_cache() -> Path:
    """Where this user's derived files live; `KWARTET_CACHE` moves it."""
    return Path(os.environ.get("KWARTET_CACHE") or platformdirs.user_cache_dir("kwartet"))


def _cache_folder() -> Path | None:
    """The folder for machine code of the present sources; None if none can be written."""
    return _folder_for(tuple(_source_folders))


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


def _cache_at(folder: Path | None, dispatchers: list[Any]) -> None:
    """Keep these kernels' machine code in `folder`; other users of Numba keep their own."""
    if folder is None:
        return
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        for dispatcher in dispatchers:
            dispatcher.enable_caching()
            _save_in_turn(dispatcher._cache._cache_file, folder)
    finally:
        numba.config.CACHE_DIR = before


def _save_in_turn(cache_file: Any, folder: Path) -> None:
    """Let one process at a time add to the folder.

    Numba numbers a kernel's files as it finds them. Two processes that save at the same
    moment would give two types' machine code one number, and the wrong one would run.
    """
    save = cache_file.save

    def save_in_turn(key: Any, data: Any) -> None:
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            save(key, data)

    cache_file.save = save_in_turn


def _digest(folders: tuple[Path, ...]) -> str:
    """A name for the state of the sources in these folders."""
    digest = hashlib.blake2b(digest_size=10)
    for folder in folders:
        for path in sorted(folder.rglob("*.py") if folder in _LAYERS else folder.glob("*.py")):
            digest.update(str(path.relative_to(folder.parent)).encode() + b"\0")
            digest.update(hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


def _remove_unused(kernels: Path) -> None:
    for folder in kernels.iterdir():
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)
