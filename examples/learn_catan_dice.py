"""Learns to play the Catan dice game alone from the batch environment, with torch on the CPU.

    pip install 'kwartet[torch]'
    python -m examples.learn_catan_dice --minutes 10 --plot curve.svg

Rewards are the points gained.
"""

import argparse
from pathlib import Path
from typing import Final

import torch

from examples.ppo import Curve, Habits, Player, School, Sight, draw
from kwartet.bots.bot import ask, turn_of
from kwartet.bots.catalogue import create
from kwartet.core.match import Match
from kwartet.envs import batch
from kwartet.games import find

GAME: Final = "catan_dice"
LANES: Final = 512  # matches side by side
HABITS: Final = Habits(scale=0.1)
TITLE: Final = "The Catan dice game alone, learned from the batch"


def train(minutes: float, seed: int, threads: int) -> tuple[Player, Curve]:
    """A player after so many minutes of CPU time, and how its mean score grew."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    made = batch(GAME, LANES, seed, threads=threads)
    sight = Sight.of_all(made)
    player = Player(sight)
    school = School(player, made, sight, minutes, HABITS)
    totals, scores = torch.zeros(LANES), []
    curve: Curve = []

    def ended(rewards: torch.Tensor, dones: torch.Tensor) -> None:
        totals.add_(rewards[:, 0])
        scores.extend(totals[dones].tolist())
        totals[dones] = 0

    shown = 0.0
    while school.go_on(ended):
        if len(scores) < LANES // 4:
            continue
        curve.append((school.passed, sum(scores) / len(scores)))
        scores.clear()
        if school.passed - shown > minutes / 20:
            shown = school.passed
            print(f"{shown:5.1f} min {school.decisions:11,} decisions: {curve[-1][1]:6.2f} points")
    made.close()
    return player, curve


def judge(player: Player, seed: int, matches: int = 1000) -> tuple[float, float]:
    """The mean score when it plays what it likes best, and its standard error."""
    made = batch(GAME, matches, seed, autoreset=None)
    seen, masks, rewards, _, _ = (torch.from_numpy(part) for part in made.now)
    totals = torch.zeros(matches)
    while not made.now.dones.all():
        with torch.no_grad():
            choices, _ = player(seen, masks | ~masks.any(1, keepdim=True))
        made.step(torch.where(masks.any(1), choices.logits.argmax(1), -1).numpy())
        totals += rewards[:, 0]
    return totals.mean().item(), totals.std().item() / matches**0.5


def judge_bot(name: str, seed: int, matches: int = 200) -> tuple[float, float]:
    """The same of one of the bots."""
    game = find(GAME)
    scores = torch.zeros(matches)
    for number in range(matches):
        match, bot = Match(game, {}, seed=seed + number), create(name, game)
        while match.actor is not None:
            match.play(ask(bot, turn_of(match, seed=seed + number + match.ply)))
        scores[number] = match.scores()[0]
    return scores.mean().item(), scores.std().item() / matches**0.5


def main() -> None:
    """Train, judge, draw."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--minutes", type=float, default=10, help="Of CPU time.")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--plot", type=Path, help="Draw the curve, .svg or .png.")
    chosen = options.parse_args()
    player, curve = train(chosen.minutes, chosen.seed, chosen.threads)
    mean, error = judge(player, chosen.seed + 1)
    print(f"learned: {mean:.1f} ± {error:.1f} points")
    levels = {}
    for name in ("random", "novice", "casual"):
        levels[name], error = judge_bot(name, chosen.seed)
        print(f"{name}: {levels[name]:.1f} ± {error:.1f} points")
    if chosen.plot:
        draw(curve, levels, TITLE, "mean score while learning", chosen.plot)


if __name__ == "__main__":
    main()
