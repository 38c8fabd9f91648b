"""Ctrl-C heard at once, whenever it comes.

Python notes a signal and looks at its notes only between two steps of its own. One that comes
after a prompt is shown and before the keyboard is waited for would lie there until the next key
(CPython's issue 112585). A second signal ends the waiting, so it is given until one is heard.
"""

import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Final

AGAIN: Final = 0.05  # seconds after which a Ctrl-C that was not heard is given again


class _Ear:
    """Whether the main thread waits for the keyboard, and has not heard Ctrl-C yet."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a handler may run while its own thread holds it
        self._waits = False
        self._noted, told = socket.socketpair()
        told.setblocking(False)
        self._told = told
        signal.signal(signal.SIGINT, self._hear)
        signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._give_again, daemon=True).start()

    def wait(self, waits: bool) -> None:
        with self._lock:
            self._waits = waits

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.wait(False)
        signal.default_int_handler(number, frame)

    def _give_again(self) -> None:
        main = threading.main_thread().ident
        assert main is not None
        while told := self._noted.recv(1):
            if told[0] == signal.SIGINT:
                time.sleep(AGAIN)
                with self._lock:
                    if self._waits:
                        signal.pthread_kill(main, signal.SIGINT)


@cache
def _ear() -> _Ear:
    return _Ear()


@contextmanager
def heard() -> Iterator[None]:
    """Wait for the keyboard in this block; Ctrl-C ends it."""
    if (
        not hasattr(signal, "pthread_kill")  # where Ctrl-C is no signal it cannot be missed
        or threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, signal.SIG_DFL)
    ):
        yield
        return
    ear = _ear()
    ear.wait(True)
    try:
        yield
    finally:
        ear.wait(False)
