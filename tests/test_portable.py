"""Everything imports where there is no POSIX; the server's speed-ups alone may be missing."""

import ast
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import kwartet

POSIX_ONLY = (
    *("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"),
    "readline",
    "uvloop",
)
# What Windows lacks of modules that it has.
LACKING = {
    "os": (
        *("fork", "getuid", "geteuid", "getloadavg", "killpg", "nice", "setpriority"),
        *("sched_getaffinity", "setsid", "PRIO_PGRP"),
    ),
    "signal": ("pthread_sigmask", "SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2"),
    "socket": ("AF_UNIX",),
}
LIBRARIES = (
    *("filelock", "gymnasium", "httpx", "numba", "pettingzoo", "platformdirs", "pyspiel", "rich"),
    *("starlette.applications", "structlog", "typer", "uvicorn", "websockets"),
)
SOURCES = Path(kwartet.__file__).parent
OTHERS = ("kwartet.store.postgres",)  # psycopg brings its own, for every system
# Where one is imported after all: it is tried, or there is another way beside it.
ALLOWED = {
    "cli/playing/keys.py": {"readline", "termios", "tty"},
    "server/gates.py": {"resource"},
    "server/serving.py": {"uvloop"},
    "store/sqlite.py": {"fcntl"},
}


def modules() -> list[str]:
    """All that there are, but those that ask for somebody else's library at once."""
    return [
        module.name
        for module in pkgutil.walk_packages([str(SOURCES)], "kwartet.")
        if not module.name.endswith("__main__") and module.name not in OTHERS
    ]


def test_everything_imports_where_there_is_no_posix() -> None:
    layers = {name.split(".")[1] for name in modules()}
    assert layers == {path.stem for path in SOURCES.iterdir() if path.suffix in ("", ".py")} - {
        *("__init__", "__pycache__", "py")
    }
    code = f"""
import asyncio, importlib, multiprocessing, sys
for name in {LIBRARIES!r}: importlib.import_module(name)  # they know what systems lack
for name in {POSIX_ONLY!r}: sys.modules[name] = None
for name, lacking in {LACKING!r}.items():
    for each in lacking: vars(importlib.import_module(name)).pop(each)
for name in sys.stdin.read().split(): importlib.import_module(name)
"""
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        input="\n".join(modules()),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr


def test_no_module_imports_it_by_the_way() -> None:
    """Also not inside a function, where an import in a test would not notice."""
    found: dict[str, set[str]] = {}
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            names |= {node.module or ""} if isinstance(node, ast.ImportFrom) else set()
            if foreign := names & {*POSIX_ONLY}:
                found.setdefault(path.relative_to(SOURCES).as_posix(), set()).update(foreign)
    assert found == ALLOWED


@pytest.mark.parametrize("missing", ["resource", "uvloop"])
def test_what_only_helps_may_be_missing(missing: str) -> None:
    code = f"""
import sys
sys.modules[{missing!r}] = None
from kwartet.server.gates import connections_at_most
from kwartet.server.serving import new_loop
assert connections_at_most(100) == 100
new_loop().close()
"""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stderr
