"""Views of positions with what a search expected there, and a network fitted to them.

A view is a position's sketch and a target: what the search expected there. How the match
ended is not part of it: self-play draws its actions, and one end says little of a position.
Each time through all views every one of them is seen in a mirror drawn anew.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.bots.network import (
    NARROW,
    WIDE,
    Glance,
    Network,
    Values,
    empty,
    judge,
    look_at,
    make_glance,
)
from kwartet.core.chance import Generator, below, generator
from kwartet.core.engine import States
from kwartet.core.errors import GameError
from kwartet.core.kernels import kernel
from kwartet.core.tactics import Look
from kwartet.core.verbs import sketch
from kwartet.learning.fitting import Numbers, chain, shuffled, whole
from kwartet.learning.positions import Dataset
from kwartet.learning.selfplay import Decision

ROUNDS: Final = 24  # through all views
BATCH: Final = 256  # views between two steps
RATE: Final = 0.004  # of learning at the start; falls to 0
KEPT_BACK: Final = 20  # one view of so many only tells how good the fit is
_MEAN, _SPREAD = 0.9, 0.999  # Adam's memory of slopes and of their squares

Floats = npt.NDArray[np.float32]


class Views(NamedTuple):
    """Positions, ready to learn from."""

    inputs: npt.NDArray[np.int32]  # that are on, one position after the other
    starts: Numbers  # where each position's inputs begin, and where the last one's end
    targets: Floats  # what each is worth to the seat that looks

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.targets)


NO_VIEWS: Final = Views(np.empty(0, np.int32), np.zeros(1, np.int64), np.empty(0, np.float32))


def views(
    look: Look, states: States, acting: npt.NDArray[np.integer], values: npt.NDArray[np.floating]
) -> Views:
    """Positions with their targets: as the seat to act sees them, of more than two as each does.

    `values` are by position and seat. Positions that are not sketched are left out.
    """
    count = values.shape[1]
    if count == 2:
        numbers, viewers = np.arange(len(states)), np.asarray(acting, np.int64)
    else:
        numbers = np.repeat(np.arange(len(states)), count)
        viewers = np.tile(np.arange(count), len(states))
    rows = np.zeros((len(numbers), look.most), np.int32)
    counts = np.zeros(len(numbers), np.int64)
    _sketch_all(states, numbers, viewers, rows, counts)
    kept = counts > 0
    return Views(
        rows[np.arange(look.most) < counts[:, None]],
        np.append(0, np.cumsum(counts[kept])),
        values[numbers, viewers][kept].astype(np.float32),
    )


@kernel
def _sketch_all(
    states: States,
    numbers: Numbers,
    viewers: Numbers,
    rows: npt.NDArray[np.int32],
    counts: Numbers,
) -> None:
    for index in range(len(numbers)):
        counts[index] = sketch(states[numbers[index]], viewers[index], rows[index])


def views_of(look: Look, made: Sequence[Decision]) -> Views:
    """The positions of a match, with what the player expected in them."""
    states = np.concatenate([each.state for each in made])
    acting = np.array([each.turn.seat for each in made])
    return views(look, states, acting, np.array([each.values for each in made]))


def learn_values(datasets: Sequence[Dataset], seed: int = 0) -> Values:
    """Networks fitted to the positions of datasets of one game, one for each look.

    Datasets of positions that are not sketched teach nothing here.
    """
    game = datasets[0].game
    seen: dict[str, list[Views]] = {}
    for dataset in datasets:
        look = look_at(game, dataset.setup["options"])
        if dataset.game.key != game.key:
            raise GameError("bad-option", "The datasets are of several games.")
        if look is not None:
            columns = dataset.columns
            part = views(look, dataset.states, columns.seats, columns.values)
            seen.setdefault(look.name, []).append(part)
    looks = game.knowledge.looks
    networks = {
        name: fit_network(join_views(parts), looks[name], seed)[0] for name, parts in seen.items()
    }
    blends = {name: looks[name].blend for name in networks}
    return Values(networks, blends, made_of(datasets, seed))


def made_of(datasets: Sequence[Dataset], seed: int) -> dict[str, Any]:
    """What is told of how something was learned from these."""
    played = [
        dataset.setup | {"matches": len(set(dataset.columns.matches.tolist()))}
        for dataset in datasets
    ]
    return {"datasets": played, "seed": seed}


def join_views(parts: Iterable[Views]) -> Views:
    """All views of these parts."""
    inputs, starts, targets = (list(each) for each in zip(*parts, strict=True))
    return Views(whole(inputs), chain(starts), whole(targets))


def fit_network(seen: Views, look: Look, seed: int) -> tuple[Network, list[float]]:
    """A network that comes close to the targets, and the mean squared error of every round.

    The error is that of the views that were kept back.
    """
    chosen = np.random.default_rng(seed)
    start = empty(look.inputs)
    network = Network(
        chosen.normal(0, 0.1, start.first.shape).astype(np.float32),
        chosen.normal(0, 0.25, start.second.shape).astype(np.float32),
        chosen.normal(0, 0.25, start.third.shape).astype(np.float32),
    )
    network.first[-2:] = 0
    slopes, means, spreads = (empty(look.inputs) for _ in range(3))
    layers = tuple(
        tuple(part.reshape(-1) for part in parts)
        for parts in zip(network, slopes, means, spreads, strict=True)
    )
    glance, rng = make_glance(look.most), generator(seed, 5)
    back = np.arange(seen.size) % KEPT_BACK == KEPT_BACK - 1
    learning, judged = np.flatnonzero(~back), np.flatnonzero(back)
    steps = -(-len(learning) // BATCH)
    errors = []
    for number in range(ROUNDS):
        rate = RATE * (1 - number / ROUNDS)
        order = learning[shuffled(len(learning), rng)]
        _learn(
            seen, order, look.mirrors, network, slopes, layers, glance, rng, rate, number * steps
        )
        errors.append(float(_error(seen, judged, network, glance)))
    return network, errors


@kernel
def _learn(
    seen: Views,
    order: Numbers,
    mirrors: npt.NDArray[np.int32],
    network: Network,
    slopes: Network,
    layers: tuple[tuple[Floats, ...], ...],  # weights, slopes, means and spreads of each
    glance: Glance,
    rng: Generator,
    rate: float,
    step: int,
) -> None:
    """Go through the views once, a step after every batch."""
    for number in range(len(order)):
        view = order[number]
        begin, end = seen.starts[view], seen.starts[view + 1]
        mirror = below(rng, len(mirrors))
        for index in range(begin, end):
            glance.inputs[index - begin] = mirrors[mirror, seen.inputs[index]]
        _study(network, slopes, glance, end - begin, seen.targets[view])
        if (number + 1) % BATCH == 0 or number + 1 == len(order):
            step += 1
            for layer in layers:
                _step(layer[0], layer[1], layer[2], layer[3], rate, step)


@kernel
def _study(network: Network, slopes: Network, glance: Glance, count: int, target: float) -> None:
    """Add the slopes of one view's squared error."""
    value = judge(network, glance, count)
    slope = np.float32((value - target) * (1.0 - value * value))
    bias = len(network.first) - 2
    below_wide = np.zeros(WIDE, np.float32)
    slopes.third[NARROW] += slope
    for unit in range(NARROW):
        above = glance.narrow[unit]
        if above <= 0:
            continue
        slopes.third[unit] += slope * above
        part = slope * network.third[unit]
        slopes.second[WIDE, unit] += part
        for index in range(WIDE):
            if glance.wide[index] > 0:
                slopes.second[index, unit] += part * glance.wide[index]
                below_wide[index] += part * network.second[index, unit]
    for number in range(count + 1):
        row = bias if number == count else glance.inputs[number]
        for unit in range(WIDE):
            slopes.first[row, unit] += below_wide[unit]


@kernel
def _step(
    weights: Floats, slopes: Floats, means: Floats, spreads: Floats, rate: float, step: int
) -> None:
    """One step of Adam; the slopes are used up."""
    even = np.float32(rate / (1.0 - _MEAN**step))
    scale = np.float32(1.0 / (1.0 - _SPREAD**step))
    for index in range(len(weights)):
        slope = slopes[index] / np.float32(BATCH)
        means[index] = np.float32(_MEAN) * means[index] + np.float32(1.0 - _MEAN) * slope
        spreads[index] = np.float32(_SPREAD) * spreads[index] + np.float32(1.0 - _SPREAD) * (
            slope * slope
        )
        weights[index] -= even * means[index] / (np.sqrt(spreads[index] * scale) + np.float32(1e-8))
        slopes[index] = 0


@kernel
def _error(seen: Views, chosen: Numbers, network: Network, glance: Glance) -> float:
    """The mean squared error over these views."""
    total = 0.0
    for view in chosen:
        begin, end = seen.starts[view], seen.starts[view + 1]
        for index in range(begin, end):
            glance.inputs[index - begin] = seen.inputs[index]
        total += (judge(network, glance, end - begin) - seen.targets[view]) ** 2
    return total / max(1, len(chosen))
