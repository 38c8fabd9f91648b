"""The kernels are plain Python: without the JIT they play the same matches."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import kwartet
from kwartet.core.chance import generator
from kwartet.core.simulation import random_match
from kwartet.envs import batch
from tests.comparison import OPTION_SETS

ROOT = Path(__file__).parents[1]
CASES = [(key, options) for key, sets in OPTION_SETS.items() for options in sets]
CASES.append(("connect_four", {}))

UNCOMPILED = """
import json, sys
import tests.conftest
from tests.test_without_jit import CASES, digest
from kwartet.core.kernels import JIT
assert not JIT
json.dump([digest(key, options) for key, options in CASES], sys.stdout)
"""


def digest(key: str, options: dict[str, object]) -> list[object]:
    """A random match with its outcome, views, worlds and numbers, as JSON."""
    match = random_match(kwartet.GAMES[key], options, generator(21))
    half = kwartet.new(key, seed=30, **options)  # type: ignore[arg-type]
    for ply in range(12):
        if legal := half.legal():
            half.play(legal[17 * ply % len(legal)])
    watchers = [*range(half.seats), None]
    return [
        match.record(),
        match.returns(),
        half.legal(),
        [half.view(watcher) for watcher in watchers],
        [half.redacted(watcher).tobytes().hex() for watcher in watchers],
        [half.determinized(watcher, 23).tobytes().hex() for watcher in watchers],
        [
            {name: part.sum().item() for name, part in half.observation(watcher).items()}
            for watcher in watchers
        ],
        steps(key, options),
    ]


def steps(key: str, options: dict[str, Any]) -> list[object]:
    """A few random steps of a batch."""
    lanes = batch(key, 2, seed=24, **options)
    for _ in range(3):
        lanes.step(lanes.sample())
    return [lanes.states.tobytes().hex(), *(part.sum().item() for part in lanes.now)]


def test_matches_are_the_same_without_the_jit() -> None:
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", UNCOMPILED],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    compiled = [digest(key, options) for key, options in CASES]
    assert json.loads(result.stdout) == json.loads(json.dumps(compiled))
