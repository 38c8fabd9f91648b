"""Every test knows the example as a fifth game; those that ask for one get a database or server."""

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from examples.connect_four import GAME as CONNECT_FOUR

from kwartet.games import register
from tests.postgres import fresh_schema, running_postgres
from tests.serving import PLENTY, Server, made
from tests.sharing import pytest_xdist_auto_num_workers as pytest_xdist_auto_num_workers
from tests.sharing import shared

register(CONNECT_FOUR)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--game",
        action="append",
        default=[],
        metavar="PACKAGE",
        help="Also test the GAME of this package, as the commands' --with does.",
    )


def pytest_configure(config: pytest.Config) -> None:
    for package in config.getoption("--game"):
        register(importlib.import_module(package).GAME)


# Files with tests that take long go first, so that no process waits for another's last one.
LONG = ("test_without_jit", "test_server_faults", "test_arena_ray", "test_catan_dice_solution")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.stem not in LONG)


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


# One server a run, for all tests that need nothing special: people who are away are away at
# once there, and nobody asks for too much.
SETTINGS = (*PLENTY, "--absent-after", "0.3", "--watchers-per-address", "1000")


@pytest.fixture(scope="session")
def sqlite_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its own file."""
    yield from _shared(tmp_path_factory, "sqlite", lambda: SETTINGS)


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on PostgreSQL."""
    with ExitStack() as stack:

        def settings() -> tuple[str, ...]:
            url = stack.enter_context(running_postgres())
            return (*SETTINGS, "--database", made(url))

        yield from _shared(tmp_path_factory, "postgres", settings)


@pytest.fixture(scope="session")
def server(sqlite_server: Server) -> Server:
    """A server, on whatever database."""
    return sqlite_server


@pytest.fixture(params=["sqlite", "postgres"])
def each_server(request: pytest.FixtureRequest) -> Server:
    """A server on each kind of database."""
    found: Server = request.getfixturevalue(f"{request.param}_server")
    return found


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def own_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server of the tests of one file, with a database of each kind that they may look into."""
    folder = tmp_path_factory.mktemp("own")
    url = f"sqlite:///{folder}/kwartet.db"
    if request.param == "postgres":
        url = made(fresh_schema(request.getfixturevalue("postgres")))
    server = Server(folder, *PLENTY, "--database", url)
    try:
        yield server.start()
    finally:
        server.kill()
    assert not server.faults


def _shared(
    paths: pytest.TempPathFactory, name: str, settings: Callable[[], tuple[str, ...]]
) -> Iterator[Server]:
    run = paths.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # whose folder is one of several in the run's
        run = run.parent
    folder = run / f"{name}-server"

    @contextmanager
    def make() -> Iterator[str]:
        server = Server(folder, *settings())
        try:
            yield server.start().url
        finally:
            server.kill()

    with shared(folder.with_suffix(".json"), make) as url:
        server = Server(folder, url=url)
        yield server
        assert not server.faults
