"""Every test knows the example as a fifth game."""

from pathlib import Path

import pytest
from examples.connect_four import GAME as CONNECT_FOUR

from kwartet.games import register

register(CONNECT_FOUR)


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The URL of an empty database."""
    return f"sqlite:///{tmp_path}/kwartet.db"
