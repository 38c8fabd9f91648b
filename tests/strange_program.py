"""A program of its own that plays connect four by the line protocol, knowing none of Kwartet.

`python strange_program.py HABIT`: it plays the first column with room, and from its second
move in a match on does what its habit says; the match with seed 0 only warms up.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def say(line: str) -> None:
    print(line, flush=True)


def misbehave(habit: str) -> None:
    """Whatever the habit is, unless it is polite."""
    match habit.partition("=")[::2]:
        case "hang", _:
            time.sleep(999)
        case "deaf", _:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.close(0)
            time.sleep(999)
        case "die", _:
            print("no more of this", file=sys.stderr)
            sys.exit(3)
        case "crash", _:
            os.kill(os.getpid(), signal.SIGSEGV)
        case "flood", _:
            while True:
                sys.stdout.write("x" * 4096)
        case "lie", _:
            say("move z")
        case "mumble", _:
            say("well, let me think")
        case "refuse", _:
            say("error illegal-move: I do not like this.")
        case "repeat", _:
            say("move a\nmove a")  # in one go, so that both are there before it is asked again
        case "complain", _:
            sys.stderr.write("it is so hard\n" * 10_000)
        case "hire", file:  # another process, which holds on to everything
            helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(999)"])
            Path(file).write_text(f"{os.getpid()} {helper.pid}")
            time.sleep(999)


def main(habit: str) -> None:
    if habit == "unborn":
        sys.exit("cannot be started so")
    heights = dict.fromkeys("abcdefg", 0)
    asked, warms_up = 0, True
    for line in sys.stdin:
        match line.split():
            case ["new", *settings]:
                assert all("=" in setting for setting in settings)
                heights = dict.fromkeys("abcdefg", 0)
                asked, warms_up = 0, "seed=0" in settings
                say("ok")
            case ["play", column]:
                heights[column] += 1
                say("ok")
            case ["go", *_]:
                asked += 1
                bad = asked >= 2 and not warms_up
                if bad:
                    misbehave(habit)
                if not (bad and habit in ("lie", "mumble", "refuse", "repeat")):
                    say(f"move {next(name for name in heights if heights[name] < 6)}")


main(sys.argv[1])
