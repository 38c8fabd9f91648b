"""The page's generated types and sentences against what the library really sends."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import kwartet
from kwartet.server.errors import CONFLICTS, STATUS

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


OPERATORS = ("addresses.py", "bans.py", "serving.py", "settings.py")  # told to who runs the server


def test_every_refusal_of_the_server_has_a_sentence_in_the_page() -> None:
    sentences = (ROOT / "web/src/lib/refusals.ts").read_text()
    known = set(re.findall(r"^  '?([a-z-]+)'?: m\.", sentences, re.M))
    raised = {
        code
        for source in (ROOT / "src/kwartet/server").rglob("*.py")
        if source.name not in OPERATORS
        for code in re.findall(r'GameError\(\s*"([a-z-]+)",', source.read_text())
    }
    assert len(raised) > 40
    assert raised | CONFLICTS | set(STATUS) <= known


def _fields(interface: str) -> set[str]:
    body = TYPES.split(f"export interface {interface} ")[1].split("\n}")[0]
    return {line.split(":")[0].strip() for line in body.splitlines()[1:]}
