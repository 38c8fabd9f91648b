"""What a new position is worth: played on to the end, read by a network, or both."""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.bots.network import Network, judge
from kwartet.bots.workspace import Settings, Workspace
from kwartet.core.chance import Generator
from kwartet.core.kernels import inlined_kernel
from kwartet.core.scoring import returns
from kwartet.core.verbs import (
    CHANCE,
    OVER,
    actor,
    apply,
    appraise,
    candidates,
    likely_action,
    random_action,
    scores,
    seats,
    sketch,
)

_FAR: Final = 1 << 30


@inlined_kernel
def play_on(
    state: np.record,
    turns: int,
    seat: int,
    horizon: int,
    at_random: bool,
    luck: Generator,
    rng: Generator,
) -> None:
    """Play quickly to the end, or until as many turns have ended as the horizon says.

    Chance draws from `luck`.
    """
    while True:
        acting = actor(state)
        if acting >= 0 and acting != seat:
            turns += 1
            seat = acting
        if acting == OVER or turns >= horizon:
            return
        if acting == CHANCE:
            apply(state, random_action(state, luck))
        elif at_random:
            apply(state, random_action(state, rng))
        else:
            apply(state, likely_action(state, rng))


@inlined_kernel
def evaluate(
    state: np.record,
    settings: Settings,
    points: npt.NDArray[np.int32],
    wins: npt.NDArray[np.int8],
    out: npt.NDArray[np.float64],
) -> None:
    """Write what the state is worth to each seat, from −1 to 1.

    At the end winning counts, and the margin over the best other seat; before it, only
    the margin as the game appraises it. One seat alone has its points instead of a margin.
    """
    count = seats(state)
    share = settings.result if actor(state) == OVER and count > 1 else 0.0
    if share > 0.0:
        returns(state, wins, out)
    if share == 1.0:
        return
    scores(state, points)
    if actor(state) != OVER:
        appraise(state, points)
    for seat in range(count):
        best = 0 if count == 1 else -_FAR
        for other in range(count):
            if other != seat:
                best = max(best, int(points[other]))
        lead = float(points[seat] - best)
        result = out[seat] if share > 0.0 else 0.0
        out[seat] = share * result + (1.0 - share) * lead / (settings.margin + abs(lead))


@inlined_kernel
def expect(work: Workspace, leaf: int, network: Network, settings: Settings) -> bool:
    """Write what all seats may expect at the leaf by the network; False without one or at the end.

    Of two seats one loses what the other wins, and an open leaf is read once: it is visited
    several times before it has children. Of more each has a look for itself.
    """
    state = work.world[0]
    if settings.blend == 0.0 or actor(state) == OVER:
        return False
    count = seats(state)
    if count > 2:
        for seat in range(count):
            inputs = sketch(state, seat, work.glance.inputs)
            work.expected[seat] = judge(network, work.glance, inputs)
        return True
    node = work.nodes[leaf]
    if settings.secrets or np.isnan(node.expected):
        node.expected = _glance(work, network, settings)
    work.expected[0] = node.expected
    work.expected[1] = -work.expected[0]
    return True


@inlined_kernel
def _glance(work: Workspace, network: Network, settings: Settings) -> float:
    """What seat 0 of two may expect of the world at hand by the network.

    A position that is not sketched is worth what its best action leads to.
    """
    state = work.world[0]
    acting = actor(state)
    count = sketch(state, acting, work.glance.inputs)
    sign = 1.0 - 2.0 * acting
    if count > 0:
        return sign * judge(network, work.glance, count)
    best = -np.inf
    for index in range(candidates(state, work.legal)):
        work.ahead[0] = state
        after = work.ahead[0]
        apply(after, int(work.legal[index]))
        if actor(after) == OVER:
            evaluate(after, settings, work.points, work.wins, work.values)
            value = work.values[0]
        else:
            count = sketch(after, actor(after), work.glance.inputs)
            value = (1.0 - 2.0 * actor(after)) * judge(network, work.glance, count)
        best = max(best, sign * value)
    return sign * best


@inlined_kernel
def blend(work: Workspace, settings: Settings) -> None:
    """Mix what the network expects into what playing on came to, for every seat."""
    for seat in range(seats(work.world[0])):
        work.values[seat] += settings.blend * (work.expected[seat] - work.values[seat])
