"""Every test knows the example as a fifth game; those that ask for one get a database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from examples.connect_four import GAME as CONNECT_FOUR

from kwartet.games import register
from tests.postgres import fresh_schema, running_postgres

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
