"""Learns to play the Catan dice game alone from the batch environment, with torch on the CPU.

    pip install 'kwartet[torch]'
    python -m examples.learn_catan_dice --minutes 12 --plot curve.svg

Proximal policy optimisation in its plainest form: many matches at once play a few decisions
each, a network learns from what came of them, and so on. Rewards are the points gained.
"""

import argparse
import time
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from kwartet.bots.bot import ask, turn_of
from kwartet.bots.catalogue import create
from kwartet.core.match import Match
from kwartet.envs import Batch, batch
from kwartet.games import find

GAME: Final = "catan_dice"
LANES, HORIZON = 512, 32  # matches side by side, decisions of each between two lessons
EPOCHS, PARTS = 3, 8  # times through a lesson, in so many parts
RATE: Final = 1e-3
DISCOUNT, TRACE = 0.999, 0.95
CLIP, CURIOSITY = 0.2, 0.01
SCALE: Final = 0.1  # of rewards
HIDDEN: Final = 256


class Player(nn.Module):  # type: ignore[misc]
    """How likely each action is to be chosen, and what is still to come."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(size, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU()
        )
        self.policy = nn.Linear(HIDDEN, actions)
        self.value = nn.Linear(HIDDEN, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Any, torch.Tensor]:
        """A distribution over the legal actions, and the points expected, scaled."""
        inside = self.body(seen)
        logits = self.policy(inside).masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(inside)[:, 0]


class Lesson:
    """What happened on all lanes for a few decisions; made once, filled again and again."""

    def __init__(self, made: Batch) -> None:
        shape = (HORIZON, made.lanes)
        self.seen = torch.zeros(*shape, made.now.observations.shape[1])
        self.masks = torch.zeros(*shape, made.now.masks.shape[1], dtype=torch.bool)
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.chances, self.values = torch.zeros(shape), torch.zeros(shape)
        self.rewards, self.dones = torch.zeros(shape), torch.zeros(shape, dtype=torch.bool)

    def play(self, player: Player, made: Batch, totals: torch.Tensor, scores: list[float]) -> Any:
        """Fill in; notes the score of every match that ends. Returns what is to be expected."""
        seen, masks, rewards, dones, _ = (torch.from_numpy(part) for part in made.now)
        torch.set_grad_enabled(False)
        for step in range(HORIZON):
            self.seen[step], self.masks[step] = seen, masks
            choices, self.values[step] = player(self.seen[step], self.masks[step])
            self.actions[step] = choices.sample()
            self.chances[step] = choices.log_prob(self.actions[step])
            made.step(self.actions[step].numpy())  # `seen` and the others follow by themselves
            self.rewards[step], self.dones[step] = rewards[:, 0] * SCALE, dones
            totals += rewards[:, 0]
            scores.extend(totals[dones].tolist())
            totals[dones] = 0
        expected = player(seen, masks)[1]
        torch.set_grad_enabled(True)
        return expected

    def advantages(self, expected: torch.Tensor) -> torch.Tensor:
        """How much better each action turned out than expected."""
        found = torch.zeros_like(self.values)
        trace = torch.zeros_like(expected)
        for step in reversed(range(HORIZON)):
            going_on = ~self.dones[step]
            surprise = self.rewards[step] + DISCOUNT * expected * going_on - self.values[step]
            trace = surprise + DISCOUNT * TRACE * trace * going_on
            found[step], expected = trace, self.values[step]
        return found


def learn(player: Player, optimizer: Any, lesson: Lesson, gains: torch.Tensor) -> None:
    """Make what turned out well likelier, within limits."""
    goals = (gains + lesson.values).flatten()
    gains = ((gains - gains.mean()) / (gains.std() + 1e-6)).flatten()
    seen, masks = lesson.seen.flatten(0, 1), lesson.masks.flatten(0, 1)
    actions, before = lesson.actions.flatten(), lesson.chances.flatten()
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(goals)).chunk(PARTS):
            choices, values = player(seen[rows], masks[rows])
            ratio = (choices.log_prob(actions[rows]) - before[rows]).exp()
            gain = gains[rows]
            clipped = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            loss = (values - goals[rows]).square().mean() - clipped.mean()
            loss -= CURIOSITY * choices.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimizer.step()


def train(minutes: float, seed: int, threads: int) -> tuple[Player, list[tuple[float, float]]]:
    """A player after so many minutes, and how its mean score grew."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    made = batch(GAME, LANES, seed, threads=threads)
    player = Player(made.now.observations.shape[1], made.now.masks.shape[1])
    optimizer = torch.optim.Adam(player.parameters(), RATE)
    lesson, totals = Lesson(made), torch.zeros(LANES)
    curve: list[tuple[float, float]] = []
    scores: list[float] = []
    began, decisions, shown = time.monotonic(), 0, 0.0
    while (passed := (time.monotonic() - began) / 60) < minutes:
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - passed / minutes)
        expected = lesson.play(player, made, totals, scores)
        learn(player, optimizer, lesson, lesson.advantages(expected))
        decisions += LANES * HORIZON
        if len(scores) >= LANES // 4:
            curve.append((passed, sum(scores) / len(scores)))
            scores.clear()
            if passed - shown > minutes / 20:
                shown = passed
                print(f"{passed:5.1f} min {decisions:11,} decisions: {curve[-1][1]:6.2f} points")
    made.close()
    return player, curve


def judge(player: Player, seed: int, matches: int = 1000) -> tuple[float, float]:
    """The mean score when it plays what it likes best, and its standard error."""
    made = batch(GAME, matches, seed, autoreset=None)
    seen, masks, rewards, _, _ = (torch.from_numpy(part) for part in made.now)
    totals = torch.zeros(matches)
    torch.set_grad_enabled(False)
    while not made.now.dones.all():
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


def draw(curve: list[tuple[float, float]], levels: dict[str, float], path: Path) -> None:
    """The curve, with the bots' scores as lines."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*curve, strict=True), color="#2f6f9f", lw=2)
    for name, score in levels.items():
        axes.axhline(score, color="#c05a3c", lw=1, ls="--")
        axes.annotate(name, (curve[-1][0], score), va="bottom", ha="right", color="#c05a3c")
    axes.set_xlabel("minutes of training on two cores")
    axes.set_ylabel("mean score while learning")
    axes.set_title("The Catan dice game alone, learned from the batch", loc="left", weight="bold")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylim(bottom=0)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Train, judge, draw."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--minutes", type=float, default=12)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--plot", type=Path, help="Draw the curve, .svg or .png.")
    chosen = options.parse_args()
    cpu = time.process_time()
    player, curve = train(chosen.minutes, chosen.seed, chosen.threads)
    spent = (time.process_time() - cpu) / 60
    mean, error = judge(player, chosen.seed + 1)
    print(f"Learned, in {spent:.1f} minutes of CPU time: {mean:.1f} ± {error:.1f} points")
    levels = {}
    for name in ("random", "novice", "casual"):
        levels[name], error = judge_bot(name, chosen.seed)
        print(f"{name}: {levels[name]:.1f} ± {error:.1f} points")
    if chosen.plot:
        draw(curve, levels, chosen.plot)


if __name__ == "__main__":
    main()
