"""A command at a real terminal of so many columns and rows, for tests to type at."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from types import TracebackType
from typing import Self

from tests.commands import ROOT

PATIENCE = 120.0  # seconds on a busy machine
_CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]")
_AGAIN = re.compile(r"([^\n\r]+)\r\1")  # a question that is asked anew over itself


class Terminal:
    """`kwartet` with these arguments in a terminal; use it with `with`."""

    columns, rows = 80, 24
    module = "kwartet.cli"

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))
        known = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", self.module, *arguments],
            stdin=side,
            stdout=side,
            stderr=side,
            cwd=ROOT,
            env=known | {"TERM": "xterm-256color"} | environment,
            start_new_session=True,
            preexec_fn=_at_home,
        )
        os.close(side)
        self.raw = ""
        self._looked = 0  # up to where `wait_for` has looked

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._main)

    @property
    def shown(self) -> str:
        """Everything it has written, without colours and the like."""
        return _AGAIN.sub(r"\1", _CODES.sub("", self.raw)).replace("\r", "")

    def wait_for(self, text: str) -> str:
        """What it writes up to this text, which must come after what was waited for before."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.shown.find(text, self._looked)) < 0:
            assert time.monotonic() < deadline, f"no {text!r} in {self.shown[self._looked :]!r}"
            self._read()
        before = self.shown[self._looked : found + len(text)]
        self._looked = found + len(text)
        return before

    def type(self, text: str) -> None:
        """Press these keys."""
        os.write(self._main, text.encode())

    def press(self, key: str, then: str) -> str:
        """Press a single key until this text comes: one may be lost while keys are switched on."""
        deadline = time.monotonic() + PATIENCE
        while self.shown.find(then, self._looked) < 0:
            assert time.monotonic() < deadline, self.shown[self._looked :]
            self.type(key)
            for _ in range(10):
                self._read()
        return self.wait_for(then)

    def press_to_end(self, key: str) -> int:
        """Press a single key until it ends; its exit status."""
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None:
            assert time.monotonic() < deadline, self.shown[self._looked :]
            self.type(key)
            for _ in range(10):
                self._read()
        return self._process.returncode

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.type("\x03")

    def end(self) -> int:
        """Its exit status, once it has ended."""
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None:
            assert time.monotonic() < deadline, self.shown
            self._read()
        self._read()
        return self._process.returncode

    def hang_up(self) -> int:
        """Close the window; its exit status."""
        os.killpg(self._process.pid, signal.SIGHUP)
        return self.end()

    def _read(self) -> None:
        ready, _, _ = select.select([self._main], [], [], 0.1)
        if ready:
            try:
                self.raw += os.read(self._main, 65536).decode(errors="replace")
            except OSError:  # the other side is closed
                time.sleep(0.05)


class Tiny(Terminal):
    """One in which no board can be drawn."""

    columns, rows = 30, 6


class Interrupted(Terminal):
    """One whose Ctrl-C comes at the worst moments."""

    module = "tests.interrupted"


def _at_home() -> None:
    """Let the terminal be the process's own, and its signals count though they were ignored."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
