"""What a kernel is made of, as a digest.

Machine code may be used again for a kernel that would be compiled to the same. What that
depends on is found from the function itself: its bytecode, the values of the constants it
names, the kernels it calls, theirs in turn, and for each verb the kernels of the games whose
records it is compiled for. Other functions of a file, comments and docstrings do not count;
a constant does, wherever it came from.

What is not known to be harmless is not guessed at: a kernel that uses it has no fingerprint.
"""

import dis
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import EnumMeta
from types import CodeType, ModuleType
from typing import Any, Final

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

# What these define is told by its name: their versions count for all machine code.
_VERSIONED: Final = {"builtins", "cmath", "llvmlite", "math", "numba", "numpy", "operator"}
_PLAIN: Final = (int, float, complex, str, bytes, range, slice, type(None), type(...))

_verbs: dict[Any, str] = {}  # names of functions that stand for a kernel of each game
_rules: dict[str, Mapping[str, Any]] = {}  # those kernels, by Numba's name of a game's record


class Unknown(Exception):
    """A kernel uses something whose content cannot be told."""


def note_verb(verb: Callable[..., Any]) -> None:
    """Let `verb` stand for the kernel of that name of each game."""
    _verbs[verb] = verb.__name__


def note_rules(dtype: np.dtype[Any], kernels: Mapping[str, Any]) -> None:
    """Know what the verbs stand for where they are given this record."""
    _rules[record_name(dtype)] = kernels


def record_name(dtype: np.dtype[Any]) -> str:
    """How the record is called in the names of Numba's types."""
    name: str = numba.from_dtype(dtype).name
    return name


def fingerprint(kernels: Iterable[Any], kinds: str) -> bytes:
    """A digest of what these kernels come to for arguments of these types, by Numba's names.

    Raises Unknown if something is used that cannot be told.
    """
    records = {record for record in _rules if record in kinds}
    verbs: set[str] = set()
    lines: set[bytes] = set()
    found: set[Any] = set()
    left = list(kernels)
    while left:
        while left:
            kernel = left.pop()
            if kernel not in found:
                found.add(kernel)
                part = _part(kernel)
                lines.add(part.digest)
                left += part.kernels
                verbs |= part.verbs
                records |= part.records & _rules.keys()
        for record in records:
            for verb in verbs & _rules[record].keys():
                meant = _rules[record][verb]
                lines.add(f"{record} {verb} {_label(meant)}".encode())
                if meant not in found:
                    left.append(meant)
    return hashlib.blake2b(b"".join(sorted(lines)), digest_size=16).digest()


def all_rules(dtype: np.dtype[Any]) -> list[Any]:
    """Every kernel that a game has for the verbs."""
    return list(_rules[record_name(dtype)].values())


@dataclass(frozen=True)
class _Part:
    """One kernel without the others it is made of."""

    digest: bytes
    kernels: list[Any]  # that it calls
    verbs: frozenset[str]  # that it uses
    records: frozenset[str]  # that it makes


_parts: dict[Any, _Part] = {}


def _part(kernel: Any) -> _Part:
    if kernel not in _parts:
        _parts[kernel] = _Reader(kernel).part()
    return _parts[kernel]


def _label(kernel: Any) -> str:
    return f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"


class _Reader:
    """Reads one kernel's function."""

    def __init__(self, kernel: Any) -> None:
        self._told: list[str] = []
        self._kernels: list[Any] = []
        self._verbs: set[str] = set()
        self._records: set[str] = set()
        function = kernel.py_func
        self._label = _label(kernel)
        self._globals = function.__globals__
        if function.__closure__ is not None:
            raise Unknown(f"{self._label} is made inside another function")
        options = repr(sorted(kernel.targetoptions.items()))
        if " at 0x" in options:
            raise Unknown(f"{self._label} has options that differ in every process")
        self._tell(self._label, options)
        for defaults in (function.__defaults__, *sorted((function.__kwdefaults__ or {}).items())):
            self._read(defaults, ())
        self._read_code(function.__code__, function.__doc__)

    def part(self) -> _Part:
        digest = hashlib.blake2b("\n".join(self._told).encode("utf-8", "surrogatepass"))
        return _Part(
            digest.digest(), self._kernels, frozenset(self._verbs), frozenset(self._records)
        )

    def _tell(self, *facts: object) -> None:
        self._told.append(repr(facts))

    def _read_code(self, code: CodeType, doc: str | None) -> None:
        self._tell(code.co_code, code.co_exceptiontable, code.co_flags, code.co_varnames)
        self._tell(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
        self._tell(code.co_names, code.co_freevars, code.co_cellvars)
        for number, constant in enumerate(code.co_consts):
            if isinstance(constant, CodeType):
                self._read_code(constant, None)
            elif number > 0 or constant != doc:
                self._read(constant, ())
        for name in code.co_names:  # of globals and of attributes
            if name in self._globals:
                try:
                    self._read(self._globals[name], code.co_names)
                except Unknown:
                    if _is_global(code, name):
                        raise

    def _read(self, value: Any, attributes: tuple[str, ...]) -> None:
        """Tell a value; of a module only these attributes, as far as it has them."""
        if isinstance(value, Dispatcher):
            self._kernels.append(value)
            self._tell("kernel", _label(value))
        elif isinstance(value, _PLAIN):
            self._tell(type(value).__name__, value)
        elif isinstance(value, tuple | frozenset):
            items = sorted(value, key=repr) if isinstance(value, frozenset) else value
            self._tell(type(value).__name__, len(items))
            for item in items:
                self._read(item, ())
        elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            self._read(value.dtype, ())
            self._tell(value.shape, value.strides, hashlib.blake2b(value.tobytes()).hexdigest())
        elif isinstance(value, np.dtype):
            self._tell("dtype", str(value), value.itemsize, value.isalignedstruct)
            if value.names:
                self._records.add(record_name(value))
        elif isinstance(value, ModuleType):
            self._read_module(value, attributes)
        else:
            self._read_name(value)

    def _read_module(self, module: ModuleType, attributes: tuple[str, ...]) -> None:
        self._tell("module", module.__name__)
        if module.__name__.partition(".")[0] not in _VERSIONED:
            for number, name in enumerate(attributes):
                if hasattr(module, name):
                    self._read(
                        getattr(module, name), attributes[:number] + attributes[number + 1 :]
                    )

    def _read_name(self, value: Any) -> None:
        """Tell what is known by its name, and classes that are nothing but names."""
        name = getattr(value, "__qualname__", getattr(value, "__name__", None))
        package = str(getattr(value, "__module__", None)).partition(".")[0]
        if isinstance(value, np.ufunc):
            self._tell("ufunc", value.__name__)
        elif isinstance(value, numba.types.Type):
            self._tell("type", str(value))
        elif isinstance(value, EnumMeta):
            members: dict[str, Any] = dict(value.__members__)
            self._tell("enum", name, [(key, item.value) for key, item in members.items()])
        elif fields := _fields(value):
            self._tell("named tuple", name, fields)
            self._read(tuple(value._field_defaults.items()), ())
        elif callable(value) and value in _verbs:
            self._verbs.add(_verbs[value])
            self._tell("verb", _verbs[value])
        elif name and package in _VERSIONED:
            self._tell("known", value.__module__, name)
        else:
            raise Unknown(f"{self._label} uses a {type(value).__name__} that may be anything")


def _is_global(code: CodeType, name: str) -> bool:
    return any(
        step.opname == "LOAD_GLOBAL" and step.argval == name for step in dis.get_instructions(code)
    )


def _fields(value: Any) -> tuple[str, ...] | None:
    """Those of a class of named tuples."""
    is_tuple = isinstance(value, type) and issubclass(value, tuple)
    return getattr(value, "_fields", None) if is_tuple else None
