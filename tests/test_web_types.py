"""The page's generated types against what the library really sends."""

import subprocess
import sys
from pathlib import Path

import pytest

import kwartet

ROOT = Path(__file__).parents[1]
TYPES = (ROOT / "web/src/lib/api.ts").read_text()


def test_generated_types_have_not_drifted() -> None:
    command = [sys.executable, str(ROOT / "tools/web_types.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("key", ["carat", "carnac", "catan_dice", "kwatro"])
def test_every_field_of_a_view_has_a_type(key: str) -> None:
    name = "".join(part.capitalize() for part in key.split("_")) + "View"
    declared = _fields("View") | _fields(name)
    assert declared == set(kwartet.new(key, seed=1).view(0))


def _fields(interface: str) -> set[str]:
    body = TYPES.split(f"export interface {interface} ")[1].split("\n}")[0]
    return {line.split(":")[0].strip() for line in body.splitlines()[1:]}
