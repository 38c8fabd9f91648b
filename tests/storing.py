"""What tests of the store share."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import psycopg
from typer.testing import CliRunner

from kwartet.cli import app
from kwartet.core.errors import GameError
from kwartet.store import (
    Entry,
    Result,
    Skill,
    State,
    TableRow,
)

P = ParamSpec("P")
ROOT = Path(__file__).parents[1]


def on_a_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    @wraps(test)
    def run(*values: P.args, **named: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*values, **named), 60))

    return run


def entry(number: int = 1, table: str = "t", body: bytes = b"body") -> Entry:
    return Entry(table, number, float(number), body)


def row(
    key: str = "t",
    changed: float = 1.0,
    *,
    state: State = "running",
    listed: bool = True,
    game: str = "carnac",
    deadline: float | None = None,
    bot_due: bool = False,
    summary: bytes = b"",
    players: tuple[str | None, ...] = ("ann", None),
) -> TableRow:
    return TableRow(
        key, game, state, listed, 1.0, changed, deadline, bot_due, summary, list(players)
    )


RESULTS = [Result(0, "bob", 12, 0, "won"), Result(1, "ann", 7, 1, "lost")]


def one_up(before: list[Skill | None]) -> list[Skill]:
    return [(1.0, 8.0) if skill is None else (skill[0] + 1, skill[1] / 2) for skill in before]


def execute(url: str, sql: str) -> None:
    """Change a database behind the store's back."""
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
            file.execute(sql)
        file.close()
    else:
        with psycopg.connect(url) as connection:
            connection.execute(sql.encode())


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for what other threads bring about; the test's own time limit ends it."""
    while not is_so():
        await asyncio.sleep(0.005)


def command(*arguments: str) -> str:
    """What `kwartet db` prints, or the code of its refusal."""
    ended = CliRunner().invoke(app, ["db", *arguments])
    if isinstance(ended.exception, GameError):
        return ended.exception.code
    assert ended.exit_code == 0
    return ended.stdout
