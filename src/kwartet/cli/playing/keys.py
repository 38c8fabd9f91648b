"""The keyboard: lines with completion where there is readline, single keys, and no keyboard."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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


@contextmanager
def prompted(prompt: str) -> Iterator[Callable[[], bool]]:
    """Show a question; yields whether somebody has begun to answer, which `line` then hears.

    Where there are no keys somebody always has.
    """
    if not are_there():
        yield lambda: True
        return
    print(prompt, end="", flush=True)
    with _key_by_key():
        yield _is_pressed
    print("\r", end="", flush=True)


def unprompted(prompt: str) -> None:
    """Take a question back that nobody has begun to answer."""
    if are_there():
        print(" " * len(prompt), end="\r", flush=True)


@contextmanager
def _key_by_key() -> Iterator[None]:
    """Let keys be there as they are pressed, unseen; nothing that is typed is lost."""
    if sys.platform == "win32":
        yield  # they always are
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _is_pressed() -> bool:
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.kbhit()
    import select

    return bool(select.select([sys.stdin], [], [], 0)[0])


def are_there() -> bool:
    """Whether somebody can see a question and press keys."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def key(prompt: str) -> str:
    """One key, or where there are no keys one line."""
    import typer

    if not are_there():
        with heard():
            return input(prompt)
    print(prompt, end="", flush=True)
    with heard():
        pressed: str = typer.getchar()
    print()
    return pressed
