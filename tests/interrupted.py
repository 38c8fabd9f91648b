"""Somebody who presses Ctrl-C at the very moment in which the prompt appears, again and again."""

import os
import signal
import threading

from kwartet.cli.playing import keys

TIMES = 100


def main() -> None:
    """Ask so many times; every question must end."""
    asked = threading.Semaphore(0)

    def press() -> None:
        while asked.acquire():
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    heard = 0
    for _ in range(TIMES):
        try:
            asked.release()
            keys.line("> ")
        except KeyboardInterrupt:
            heard += 1
    print(f"heard {heard} times")


if __name__ == "__main__":
    main()
