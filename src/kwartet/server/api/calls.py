"""What the API's operations are made of: a request taken apart, and what one takes and gives."""

import math
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request

from kwartet.core.errors import GameError, quoted
from kwartet.server.conduct.scene import Person
from kwartet.server.house import House, address_of
from kwartet.server.identity import Visitor

PAGE: Final = 50  # entries of one page of a list
BEFORE: Final = ("before", "The `next` of the page before.")
NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True)
class Call:
    """One request, taken apart."""

    house: House
    request: Request
    person: Person | None  # None only where none is needed
    body: Any
    arrived: float  # house time when all of it was there
    visitor: Visitor | None = None  # by what the person is known

    @property
    def me(self) -> Person:
        """Who sends this."""
        assert self.person
        return self.person

    def path(self, name: str) -> str:
        """A part of the path."""
        return _without_nul(str(self.request.path_params[name]))

    def query(self, name: str) -> str | None:
        """A part of the query."""
        text = self.request.query_params.get(name)
        return None if text is None else _without_nul(text)

    @property
    def wishes(self) -> dict[str, str]:
        """All of the query."""
        return {name: _without_nul(text) for name, text in self.request.query_params.items()}

    @property
    def asker(self) -> str:
        """Who or what sends this, to be counted."""
        return self.person.id if self.person else address_of(self.request)

    def number(self, name: str) -> float | None:
        """A number in the query; GameError if it is none."""
        text = self.query(name)
        if text is None:
            return None
        if not NUMBER.fullmatch(text) or not math.isfinite(number := float(text)):
            raise GameError("bad-request", f"{name} is not a number: {quoted(text)}.")
        return number

    def whole(self, name: str) -> int:
        """A whole number in the query, 0 if it is not there; GameError if it is none."""
        text = self.query(name) or "0"
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise GameError("bad-request", f"{name} is not a whole number: {quoted(text)}.")
        return int(text)


def _without_nul(text: str) -> str:
    """The text; GameError if it has a character that PostgreSQL cannot look for."""
    if "\0" in text:
        raise GameError("bad-request", "There is a NUL in the address.")
    return text


@dataclass(frozen=True)
class Operation:
    """Something the API does."""

    method: str
    path: str
    run: Callable[[Call], Awaitable[Any]]
    gives: Any
    summary: str
    takes: Any = None
    person: bool = True  # whether it is done in somebody's name
    query: tuple[tuple[str, str], ...] = ()  # names and what they mean
    status: int = 200
    size: int = 0  # bytes that a request may have, if that is more than usual
    media: str = ""  # of an answer that is not JSON
    banned: bool = False  # whether somebody who is kept out may do it, too
