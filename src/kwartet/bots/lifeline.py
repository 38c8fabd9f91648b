"""Runs a program for as long as somebody holds the other end of a pipe.

`python lifeline.py FD COMMAND …`, run as a file of its own so that it starts at once: whoever
started it may be killed, and what it started must not live on then. The program's whole
process group ends with it.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading

NOT_FOUND = 127  # exit status, as shells have it


def main(pipe: int, command: list[str]) -> None:
    """Run the command on our input and output; end as it ends, or end it with the pipe."""
    try:
        program = subprocess.Popen(command, start_new_session=True)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(NOT_FOUND)
    threading.Thread(target=_follow, args=(pipe, program.pid), daemon=True).start()
    status = program.wait()
    _end(program.pid)  # what it has started itself
    if status < 0:
        os.kill(os.getpid(), -status)
    os._exit(status)


def _follow(pipe: int, group: int) -> None:
    """Wait until nobody holds the other end of the pipe."""
    os.read(pipe, 1)
    _end(group)


def _end(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
