"""Lessons from what searches looked at, and a prior fitted to them.

A lesson is one decision: the features of every action, and the share of the simulations
that went to it. Lessons are kept flat: one array of features, with where each action's
begin, and where each decision's actions begin.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from kwartet.bots.bot import Analysis, Turn
from kwartet.bots.prior import count, spread, tied
from kwartet.core.chance import Generator, below, generator
from kwartet.core.engine import Actions, States
from kwartet.core.game import Game
from kwartet.core.kernels import kernel
from kwartet.core.verbs import describe, redact, survey
from kwartet.learning.positions import Dataset

ROUNDS: Final = 20  # through all lessons
BATCH: Final = 64  # decisions between two steps
RATE: Final = 0.05  # of learning at the start; falls to 0
DECAY: Final = 1e-4  # how much large weights are held against a fit
_MEAN, _SPREAD = 0.9, 0.999  # Adam's memory of slopes and of their squares

Part = TypeVar("Part", bound=np.generic)
Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Lessons(NamedTuple):
    """Decisions, ready to learn from."""

    features: npt.NDArray[np.int32]  # by the numbers of their weights: those that are tied are one
    actions: Numbers  # where each action's features begin, and where the last one's end
    decisions: Numbers  # where each decision's actions begin, and where the last one's end
    shares: npt.NDArray[np.float32]  # of the simulations, one an action

    @property
    def size(self) -> int:
        """How many decisions there are."""
        return len(self.decisions) - 1


def lesson(turn: Turn, found: Analysis) -> Lessons:
    """One decision and what a search found out about it."""
    game = turn.game
    rows = np.zeros((len(found.actions), game.knowledge.max_features), np.int32)
    counts = np.zeros(len(found.actions), np.int64)
    notes = np.zeros(game.knowledge.notes, np.int32)
    describe_all(turn.state.copy(), found.actions, notes, rows, counts)
    described = [row[:count] for row, count in zip(rows, counts, strict=True)]
    return Lessons(
        tied(game, np.concatenate(described)),
        np.append(0, np.cumsum(counts)),
        np.array([0, len(counts)]),
        (found.visits / found.visits.sum()).astype(np.float32),
    )


@kernel
def describe_all(
    states: States,
    actions: Actions,
    notes: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int32],
    counts: Numbers,
) -> None:
    """Write the features of each action to a row, and how many there are."""
    survey(states[0], notes)
    for index in range(len(actions)):
        counts[index] = describe(states[0], int(actions[index]), notes, rows[index])


def lessons_of(dataset: Dataset) -> Lessons:
    """The decisions of a dataset."""
    knowledge, columns = dataset.game.knowledge, dataset.columns
    features = np.zeros(len(columns.actions) * knowledge.max_features, np.int32)
    counts = np.zeros(len(columns.actions), np.int64)
    notes = np.zeros(knowledge.notes, np.int32)
    size = describe_policies(
        dataset.states.copy(),
        columns.seats,
        columns.starts,
        columns.actions,
        notes,
        features,
        counts,
    )
    bound = tied(dataset.game, features[:size])
    return Lessons(bound, np.append(0, np.cumsum(counts)), columns.starts, columns.shares)


@kernel
def describe_policies(
    states: States,
    seats: npt.NDArray[np.int8],
    starts: Numbers,
    actions: Actions,
    notes: npt.NDArray[np.int32],
    out: npt.NDArray[np.int32],
    counts: Numbers,
) -> int:
    """Write the features of each state's actions one after the other, and how many each has.

    What the seat may not know is removed from the states.
    """
    size = 0
    for index in range(len(states)):
        redact(states[index], int(seats[index]))
        survey(states[index], notes)
        for action in range(starts[index], starts[index + 1]):
            counts[action] = describe(states[index], int(actions[action]), notes, out[size:])
            size += counts[action]
    return size


def join(parts: Iterable[Lessons]) -> Lessons:
    """All decisions of these lessons."""
    features, actions, decisions, shares = (list(each) for each in zip(*parts, strict=True))
    return Lessons(whole(features), chain(actions), chain(decisions), whole(shares))


def whole(parts: list[npt.NDArray[Part]]) -> npt.NDArray[Part]:
    """These arrays one after the other. They are let go of one by one: together they are large."""
    end = sum(map(len, parts))
    found = np.empty(end, parts[0].dtype)
    while parts:
        part = parts.pop()
        found[end - len(part) : end] = part
        end -= len(part)
    return found


def chain(starts: list[Numbers]) -> Numbers:
    """Where the pieces begin when these sequences of pieces stand one after the other."""
    ends = np.cumsum([0] + [int(start[-1]) for start in starts])
    moved = [start[1:] + end for start, end in zip(starts, ends[:-1], strict=True)]
    return np.concatenate([np.zeros(1, np.int64), *moved])


def fit(game: Game, lessons: Lessons, seed: int) -> tuple[npt.NDArray[np.float32], list[float]]:
    """A weight for each of the game's features, and the mean loss of every round."""
    weights, losses = fit_weights(lessons, count(game), seed)
    return spread(game, weights), losses


def fit_weights(
    lessons: Lessons, features: int, seed: int
) -> tuple[npt.NDArray[np.float32], list[float]]:
    """Weights whose softmax comes close to the shares, and the mean loss of every round.

    The loss is how many nats the softmax falls short of the shares; 0 is a perfect fit.
    """
    if lessons.features.max() >= features:
        raise ValueError("lessons with features that the game does not have")
    weights = np.zeros(features)
    memory = np.zeros((2, features))
    logits = np.zeros(int(np.diff(lessons.decisions).max()))
    rng = generator(seed, 2)
    steps = -(-lessons.size // BATCH)
    losses = []
    for number in range(ROUNDS):
        rate = RATE * (1.0 - number / ROUNDS)
        order = shuffled(lessons.size, rng)
        losses.append(_learn(lessons, order, weights, memory, logits, rate, number * steps))
    return weights.astype(np.float32), losses


@kernel
def shuffled(count: int, rng: Generator) -> Numbers:
    """The numbers below `count` in random order."""
    order = np.arange(count)
    for last in range(count - 1, 0, -1):
        other = below(rng, last + 1)
        number = order[last]
        order[last] = order[other]
        order[other] = number
    return order


@kernel
def _learn(
    lessons: Lessons,
    order: Numbers,
    weights: Floats,
    memory: Floats,
    logits: Floats,
    rate: float,
    step: int,
) -> float:
    """Go through the lessons once, a step after every batch; return the mean loss."""
    slopes = np.zeros(len(weights))
    loss = 0.0
    for number in range(len(order)):
        loss += _study(lessons, order[number], weights, logits, slopes)
        if (number + 1) % BATCH == 0 or number + 1 == len(order):
            step += 1
            _step(weights, slopes, memory, rate, step)
    return loss / len(order)


@kernel
def _study(
    lessons: Lessons, decision: int, weights: Floats, logits: Floats, slopes: Floats
) -> float:
    """Add the slopes of one decision's loss; return the loss."""
    begin, end = lessons.decisions[decision], lessons.decisions[decision + 1]
    highest = -np.inf
    for action in range(begin, end):
        total = 0.0
        for index in range(lessons.actions[action], lessons.actions[action + 1]):
            total += weights[lessons.features[index]]
        logits[action - begin] = total
        highest = max(highest, total)
    total = 0.0
    for action in range(begin, end):
        total += np.exp(logits[action - begin] - highest)
    whole = highest + np.log(total)
    loss = 0.0
    for action in range(begin, end):
        certainty = logits[action - begin] - whole
        share = lessons.shares[action]
        if share > 0.0:
            loss += share * (np.log(share) - certainty)
        slope = np.exp(certainty) - share
        for index in range(lessons.actions[action], lessons.actions[action + 1]):
            slopes[lessons.features[index]] += slope
    return loss


@kernel
def _step(weights: Floats, slopes: Floats, memory: Floats, rate: float, step: int) -> None:
    """One step of Adam; the slopes are used up."""
    even_mean, even_spread = 1.0 - _MEAN**step, 1.0 - _SPREAD**step
    for index in range(len(weights)):
        slope = slopes[index] / BATCH + DECAY * weights[index]
        memory[0, index] = _MEAN * memory[0, index] + (1.0 - _MEAN) * slope
        memory[1, index] = _SPREAD * memory[1, index] + (1.0 - _SPREAD) * slope * slope
        mean = memory[0, index] / even_mean
        spread = memory[1, index] / even_spread
        weights[index] -= rate * mean / (np.sqrt(spread) + 1e-8)
        slopes[index] = 0.0
