"""Every test knows the example as a fifth game; those that ask for one get a database or server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from examples.connect_four import GAME as CONNECT_FOUR

from kwartet.games import register
from tests.postgres import fresh_schema, running_postgres
from tests.serving import PLENTY, Server, made

register(CONNECT_FOUR)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    with running_postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/kwartet.db"
    return fresh_schema(request.getfixturevalue("postgres"))


# One server a test process, for all tests that need nothing special: people who are away are
# away at once there, and nobody asks for too much.


@pytest.fixture(scope="session")
def sqlite_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its own file."""
    yield from _served(Server(tmp_path_factory.mktemp("sqlite"), *SETTINGS))


@pytest.fixture(scope="session")
def postgres_server(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on PostgreSQL."""
    url = made(fresh_schema(postgres))
    yield from _served(Server(tmp_path_factory.mktemp("postgres"), *SETTINGS, "--database", url))


@pytest.fixture(scope="session")
def server(sqlite_server: Server) -> Server:
    """A server, on whatever database."""
    return sqlite_server


@pytest.fixture(
    params=["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))]
)
def each_server(request: pytest.FixtureRequest) -> Server:
    """A server on each kind of database."""
    found: Server = request.getfixturevalue(f"{request.param}_server")
    return found


SETTINGS = (*PLENTY, "--absent-after", "0.3", "--watchers-per-address", "1000")


def _served(server: Server) -> Iterator[Server]:
    try:
        yield server.start()
    finally:
        if server.is_running:
            server.stop()
    assert "Traceback" not in server.log, server.log
