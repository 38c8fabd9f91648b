"""JSON from elsewhere: no NaN, no infinity, no names twice; whatever is wrong is a GameError."""

import json
import math
from typing import Any, Final, NoReturn

from kwartet.core.errors import GameError


def parse(text: str, what: str) -> Any:
    """The value that a text stands for; GameError `bad-record` if it is not JSON."""
    value, end = parse_first(text.strip(), 0, what)
    if end < len(text.strip()):
        raise GameError("bad-record", f"{what} is not JSON: there is more after its end.")
    return value


def parse_first(text: str, start: int, what: str) -> tuple[Any, int]:
    """The value that begins there, and where it ends."""
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError:
        raise GameError("bad-record", f"{what} is not JSON: it is nested too deeply.") from None
    except ValueError as error:
        raise GameError("bad-record", f"{what} is not JSON: {str(error)[:200]}.") from None


def write(value: Any, *, plain: bool = False) -> str:
    """A value as short JSON; with `plain` in ASCII and without #.

    GameError if it is none.
    """
    try:
        text = json.dumps(value, ensure_ascii=plain, allow_nan=False, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError) as error:
        raise GameError("bad-record", f"The record cannot be written: {error}.") from None
    return text.replace("#", "\\u0023") if plain else text


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    if math.isinf(number := float(text)):
        raise ValueError("a number is too large")
    return number


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has a name twice")
    return found


_DECODER: Final = json.JSONDecoder(
    parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_without_twins
)
