"""Compiling ahead: in the order in which somebody wants it."""

from typing import Any

import kwartet
from kwartet.bots.tree import keep
from kwartet.bots.warmup import SERVED, Job, cold, prepare, steps


def test_games_that_somebody_waits_for_come_first() -> None:
    keys = ["carnac", "carat", "catan_dice", "kwatro"]
    jobs = [Job("match", key, step) for step in ("scores", "legal moves") for key in keys]
    done: list[tuple[str, str]] = []

    def wanted() -> list[str]:
        return ["kwatro"] if not done else ["catan_dice", "kwatro"]

    prepare(jobs, lambda job: done.append((job.game, job.step)), wanted=wanted, workers=1)
    assert done == [
        ("kwatro", "scores"),
        ("catan_dice", "scores"),
        ("catan_dice", "legal moves"),
        ("kwatro", "legal moves"),
        *((key, step) for step in ("scores", "legal moves") for key in ("carnac", "carat")),
    ]


def test_what_was_compiled_is_not_cold() -> None:
    game = kwartet.GAMES["connect_four"]
    prepare(cold([game]), lambda job: None)
    assert not cold([game])
    assert all(steps(layer, game) for layer in SERVED)


def test_going_on_with_a_tree_compiles_nothing_more() -> None:
    """A clock may already run when a tree is first kept: at a player's second move."""
    game = kwartet.GAMES["connect_four"]
    for _, step in steps("bots", game):
        step()
    compiled: Any = keep
    known = len(compiled.signatures)
    match, bot = kwartet.new("connect_four"), kwartet.bot("master", seconds=0.05)
    for _ in range(6):
        match.play(bot.choose(match))
    assert known
    assert len(compiled.signatures) == known
