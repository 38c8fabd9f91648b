"""Proximal policy optimisation in its plainest form, from the batch environment, with torch.

Many matches at once play a few decisions each, a network learns from what came of them, and so
on. Alone at the table or for two who play against each other: what is good for one of two is bad
for the other, so both can learn with one network.
"""

import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import torch
from torch import nn

from kwartet.envs import Batch

HORIZON: Final = 32  # decisions of each match between two lessons
PARTS: Final = 8  # of a lesson, each a step
RATE: Final = 1e-3
DISCOUNT, TRACE = 0.999, 0.95
CLIP: Final = 0.2
FRESH: Final = 0.05  # share of the newest weights in the average
HIDDEN: Final = 256

Curve = list[tuple[float, float]]  # minutes, and how good it was then
Ended = Callable[[torch.Tensor, torch.Tensor], None]  # is told a step's rewards and what ended


@dataclass(frozen=True)
class Sight:
    """Which numbers a network is shown and which actions it names, in equivalent ways."""

    numbers: torch.Tensor  # (ways, inputs): columns of the observations
    actions: torch.Tensor  # (ways, seats, outputs): columns of the masks

    @classmethod
    def of_all(cls, made: Batch) -> Self:
        """Everything, as it is."""
        _, numbers = made.now.observations.shape
        _, actions = made.now.masks.shape
        return cls(torch.arange(numbers)[None], torch.arange(actions).expand(1, made.seats, -1))

    def show(self, seen: torch.Tensor, masks: torch.Tensor, actors: torch.Tensor) -> Any:
        """Each row in any of the ways: what is seen, what may be done, and the actions' names."""
        way = torch.randint(len(self.numbers), actors.shape)
        names = self.actions[way, actors.long()]
        return seen.gather(1, self.numbers[way]), masks.gather(1, names), names


class Player(nn.Module):  # type: ignore[misc]
    """How likely each action is to be chosen, and what is still to come."""

    def __init__(self, sight: Sight) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(sight.numbers.shape[-1], HIDDEN),
            nn.ReLU(),
            nn.Linear(HIDDEN, HIDDEN),
            nn.ReLU(),
        )
        self.policy = nn.Linear(HIDDEN, sight.actions.shape[-1])
        self.value = nn.Linear(HIDDEN, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Any, torch.Tensor]:
        """A distribution over the legal actions, and the rewards that the seat to act expects."""
        inside = self.body(seen)
        return among(self.policy(inside), mask), self.value(inside)[:, 0]


def among(logits: torch.Tensor, mask: torch.Tensor) -> Any:
    """A distribution over the actions that the mask allows."""
    logits = logits.masked_fill(~mask, -1e9)
    return torch.distributions.Categorical(logits=logits, validate_args=False)


class Lesson:
    """What happened on all lanes for a few decisions; made once, filled again and again."""

    def __init__(self, made: Batch, sight: Sight, scale: float) -> None:
        """With rewards made smaller or larger, so that they are about 1."""
        shape = (HORIZON, made.lanes)
        self.made, self.sight, self.scale = made, sight, scale
        self.seen = torch.zeros(*shape, sight.numbers.shape[-1])
        self.masks = torch.zeros(*shape, sight.actions.shape[-1], dtype=torch.bool)
        self.choices = torch.zeros(shape, dtype=torch.int64)
        self.chances, self.values = torch.zeros(shape), torch.zeros(shape)
        self.rewards, self.dones = torch.zeros(shape), torch.zeros(shape, dtype=torch.bool)
        self.actors = torch.zeros(HORIZON + 1, made.lanes, dtype=torch.int64)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def play(self, player: nn.Module, ended: Ended) -> torch.Tensor:
        """Fill in, telling `ended`; return what is expected of the positions then."""
        seen, masks, rewards, dones, actors = (torch.from_numpy(part) for part in self.made.now)
        lanes = torch.arange(self.made.lanes)
        for step in range(HORIZON):
            shown, mask, names = self.sight.show(seen, masks, actors)
            self.seen[step], self.masks[step], self.actors[step] = shown, mask, actors
            liked, self.values[step] = player(shown, mask)
            self.choices[step] = liked.sample()
            self.chances[step] = liked.log_prob(self.choices[step])
            self.made.step(names[lanes, self.choices[step]].numpy())  # `seen` and others follow
            self.rewards[step] = rewards[lanes, self.actors[step]] * self.scale
            self.dones[step] = dones
            ended(rewards, dones)
        self.actors[HORIZON] = actors
        shown, mask, _ = self.sight.show(seen, masks, actors)
        expected: torch.Tensor = player(shown, mask)[1]
        return expected

    def advantages(self, expected: torch.Tensor) -> torch.Tensor:
        """How much better each action turned out than expected."""
        found = torch.zeros_like(self.values)
        trace = torch.zeros_like(expected)
        for step in reversed(range(HORIZON)):
            is_same = self.actors[step] == self.actors[step + 1]
            side = torch.where(is_same, 1.0, -1.0) * ~self.dones[step]
            surprise = self.rewards[step] + DISCOUNT * expected * side - self.values[step]
            trace = surprise + DISCOUNT * TRACE * trace * side
            found[step], expected = trace, self.values[step]
        return found


@dataclass(frozen=True)
class Habits:
    """How somebody learns."""

    epochs: int = 3  # times through a lesson
    curiosity: float = 0.01  # how much it likes to have a choice
    scale: float = 1.0  # of rewards, so that they are about 1


def learn(
    player: nn.Module, optimizer: Any, lesson: Lesson, gains: torch.Tensor, habits: Habits
) -> None:
    """Make what turned out well likelier, within limits."""
    goals = (gains + lesson.values).flatten()
    gains = ((gains - gains.mean()) / (gains.std() + 1e-6)).flatten()
    seen, masks = lesson.seen.flatten(0, 1), lesson.masks.flatten(0, 1)
    choices, before = lesson.choices.flatten(), lesson.chances.flatten()
    for _ in range(habits.epochs):
        for rows in torch.randperm(len(goals)).chunk(PARTS):
            liked, values = player(seen[rows], masks[rows])
            ratio = (liked.log_prob(choices[rows]) - before[rows]).exp()
            gain = gains[rows]
            clipped = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            loss = (values - goals[rows]).square().mean() - clipped.mean()
            loss -= habits.curiosity * liked.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimizer.step()


class School:
    """A player that learns from a batch for so many minutes of CPU time."""

    def __init__(
        self, player: nn.Module, made: Batch, sight: Sight, minutes: float, habits: Habits
    ) -> None:
        self.player, self.minutes, self.habits = player, minutes, habits
        self.average: Any = deepcopy(player)  # of its weights lately: steadier than itself
        self.lesson = Lesson(made, sight, habits.scale)
        self.decisions, self.passed = 0, 0.0  # minutes: on a busy machine as much, but later
        self._optimizer = torch.optim.Adam(player.parameters(), RATE)

    def go_on(self, ended: Ended = lambda _rewards, _dones: None) -> bool:
        """One lesson, in smaller steps towards the end; whether there was time for it."""
        left = 1 - self.passed / self.minutes
        if left <= 0:
            return False
        began = time.process_time()
        for group in self._optimizer.param_groups:
            group["lr"] = RATE * left
        expected = self.lesson.play(self.player, ended)
        gains = self.lesson.advantages(expected)
        learn(self.player, self._optimizer, self.lesson, gains, self.habits)
        self._settle()
        self.decisions += self.lesson.choices.numel()
        self.passed += (time.process_time() - began) / 60
        return True

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _settle(self) -> None:
        pairs = zip(self.average.parameters(), self.player.parameters(), strict=True)
        for mean, newest in pairs:
            mean.lerp_(newest, FRESH)


def draw(curve: Curve, levels: dict[str, float], title: str, what: str, path: Path) -> None:
    """The curve, with what the bots reach as lines."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*curve, strict=True), color="#2f6f9f", lw=2)
    for name, score in levels.items():
        axes.axhline(score, color="#c05a3c", lw=1, ls="--")
        axes.annotate(name, (curve[-1][0], score), va="bottom", ha="right", color="#c05a3c")
    axes.set_xlabel("minutes of CPU time")
    axes.set_ylabel(what)
    axes.set_title(title, loc="left", weight="bold")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylim(bottom=0)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
