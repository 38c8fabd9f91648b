"""The kernels are plain Python: without the JIT they play the same matches."""

import json
from typing import Any

import kwartet
from kwartet.core.chance import generator
from kwartet.core.simulation import random_match
from kwartet.envs import batch
from tests.cases import ALL
from tests.commands import without_jit


def digests() -> list[list[object]]:
    """Of every case."""
    return [digest(key, options) for key, options in ALL]


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
    assert without_jit(__name__, "digests()") == json.loads(json.dumps(digests()))
