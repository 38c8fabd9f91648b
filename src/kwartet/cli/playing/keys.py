"""The keyboard: lines with completion where there is readline, single keys, and no keyboard."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

from kwartet.cli.playing.interrupts import heard

try:
    import readline
except ImportError:  # not everywhere; then the terminal's own editing has to do
    readline: Any = None  # type: ignore[no-redef]


def complete_with(candidates: Callable[[], Sequence[str]]) -> None:
    """Let the tab key complete lines to one of these."""
    if readline is None:
        return
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0:
            small = text.casefold()
            found[:] = [each for each in candidates() if each.casefold().startswith(small)]
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims("")  # a line is one thing, with its blanks
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


def line(prompt: str) -> str:
    """What somebody types; EOFError where nobody does any more."""
    with heard():
        return input(prompt).strip()


def key(prompt: str) -> str:
    """One key, or where there are no keys one line."""
    import typer

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        with heard():
            return input(prompt)
    print(prompt, end="", flush=True)
    with heard():
        pressed: str = typer.getchar()
    print()
    return pressed
