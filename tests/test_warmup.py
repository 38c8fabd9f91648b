"""Compiling ahead: in the order in which somebody wants it."""

import kwartet
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
