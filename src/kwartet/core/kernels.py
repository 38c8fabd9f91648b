"""State records and compiled functions.

`kernel` compiles a plain Python function with Numba: no GIL, kept on disk. Numba's own
cache does not notice that a kernel in another file changed, and looks for machine code
under the path of its source. Here machine code is found by what it was made from
(`core.fingerprints`, `core.machine_code`).

With NUMBA_DISABLE_JIT=1 every kernel stays the Python function it is.
"""

import itertools
import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.bytecode import FunctionIdentity

from kwartet.core.machine_code import Drawer

Function = TypeVar("Function", bound=Callable[..., Any])

JIT: Final = not numba.config.DISABLE_JIT


def _number_functions() -> None:
    """Let functions have numbers in machine code that no other process gives.

    Numba tells functions of one name apart by a number that counts those of the process. Code
    that two processes compiled could have the same names, and one's run for the other's when
    a third loads both.
    """
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(7)))


_number_functions()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_number_functions)


def record_dtype(*fields: tuple[Any, ...]) -> np.dtype[np.record]:
    """A packed record type: no padding, so that equal states have equal bytes.

    TypeError if a field is called as something that every NumPy record has: without the JIT
    `state.round` would be NumPy's method.
    """
    taken = [name for name, *_ in fields if hasattr(np.record, name) or hasattr(np.ndarray, name)]
    if taken:
        raise TypeError(f"A field cannot be called {taken[0]!r}: NumPy's records have that.")
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
    if function.__closure__ is None:  # else there may be others of the same name
        dispatcher._cache = Drawer(dispatcher)
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
