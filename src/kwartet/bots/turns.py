"""Where the search covers one turn: all ways to play it, compared in the same worlds.

Until its turn ends nothing hidden changes what a seat may do, so the ways to play it are
listed first. In a tree they would be met card by card, and what a first card is worth would
be a mean over good and bad ways to go on; here each has a mean of its own. Its n-th simulation
meets the n-th world with the n-th luck, as that of all others does, so that none looks better
by what was dealt. Which one is simulated next goes by Q + U as in the tree, and the prior by
the points that a way scores at once.
"""

from typing import Final

import numpy as np

from kwartet.bots.leaf import evaluate, play_on
from kwartet.bots.tree import add_child, plant, tally
from kwartet.bots.workspace import LENGTH, ROOT, Settings, Ways, Workspace
from kwartet.core.chance import Generator, next_bits
from kwartet.core.engine import States
from kwartet.core.kernels import lean_kernel
from kwartet.core.verbs import actor, apply, candidates, determinize, outlook, scores

HEAT: Final = 0.25  # of a clear lead: so many points less make a way e times less likely


@lean_kernel
def list_turns(
    work: Workspace, root: States, seat: int, settings: Settings, rng: Generator
) -> bool:
    """List the ways to play the turn, its first actions being the root's children.

    False, and nothing is listed, where the search covers more than a turn or where there is no
    room for all. The rng is left as it was.
    """
    foresight, _ = outlook(root[0])
    if foresight != 1:
        return False
    ways = work.ways
    ways.luck[0] = rng[0]
    ways.ladder[0] = root[0]
    determinize(ways.ladder[0], seat, ways.luck)  # any world shows what the seat may do
    _look(ways, 0)
    if ways.open[0] >= len(work.nodes):
        return False
    step = 0
    while step >= 0:
        if ways.tried[step] == ways.open[step]:
            step -= 1
            continue
        action = int(ways.legal[step, ways.tried[step]])
        ways.tried[step] += 1
        after = ways.ladder[step + 1]
        ways.ladder[step + 1] = ways.ladder[step]
        apply(after, action)
        if step == 0:
            add_child(work, ROOT, action, 1.0)
        if actor(after) == seat and step + 1 < LENGTH:
            step += 1
            _look(ways, step)
        elif ways.used[0] < len(ways.listed):
            _add_way(work, seat, step)
        else:
            plant(work)
            return False
    _weigh(work, settings)
    return True


@lean_kernel
def _look(ways: Ways, step: int) -> None:
    """List what may be done after so many actions; nothing of it has been followed."""
    ways.tried[step] = 0
    ways.open[step] = candidates(ways.ladder[step], ways.legal[step])


@lean_kernel
def _add_way(work: Workspace, seat: int, last: int) -> None:
    """List the way that was followed up to this step; its prior is its points for now."""
    ways = work.ways
    way = ways.listed[ways.used[0]]
    ways.used[0] += 1
    way.length = last + 1
    for step in range(last + 1):
        way.actions[step] = ways.legal[step, ways.tried[step] - 1]
    way.child = work.used[0] - 1
    way.visits = 0
    way.q = 0.0
    scores(ways.ladder[last + 1], work.points)
    way.prior = work.points[seat]


@lean_kernel
def _weigh(work: Workspace, settings: Settings) -> None:
    """Make priors of the points."""
    listed, count = work.ways.listed, int(work.ways.used[0])
    most, total = -np.inf, 0.0
    for index in range(count):
        most = max(most, listed[index].prior)
    for index in range(count):
        listed[index].prior = np.exp((listed[index].prior - most) / (HEAT * settings.margin))
        total += listed[index].prior
    for index in range(count):
        listed[index].prior /= total


@lean_kernel
def compare_turns(
    work: Workspace,
    root: States,
    seat: int,
    settings: Settings,
    rng: Generator,
    simulations: int,
) -> None:
    """Make that many simulations of the ways that are listed. The rng is left as it was."""
    _, horizon = outlook(root[0])
    luck, state, here = work.ways.luck, work.world[0], work.nodes[ROOT]
    for _ in range(simulations):
        way = work.ways.listed[_next_way(work, settings)]
        luck[0] = rng[0] ^ np.uint64(way.visits)
        luck[0] = next_bits(luck)  # else neighbouring sequences would overlap
        work.world[0] = root[0]
        determinize(state, seat, luck)
        for step in range(way.length):
            apply(state, int(way.actions[step]))
        play_on(state, 0, seat, horizon, False, luck, luck)
        evaluate(state, settings, work.points, work.wins, work.values)
        way.visits += 1
        way.q += (work.values[seat] - way.q) / way.visits
        here.visits += 1
        here.value += (work.values[seat] - here.value) / here.visits
        tally(work)
    _tell_children(work)


@lean_kernel
def _next_way(work: Workspace, settings: Settings) -> int:
    """The way with the highest Q + U; one without visits has the mean of all for Q."""
    here, listed = work.nodes[ROOT], work.ways.listed
    exploration = settings.exploration * np.sqrt(here.visits + 1.0)
    best, best_bound = 0, -np.inf
    for index in range(work.ways.used[0]):
        way = listed[index]
        q = way.q if way.visits > 0 else here.value
        bound = q + exploration * way.prior / (way.visits + 1.0)
        if bound > best_bound:
            best, best_bound = index, bound
    return best


@lean_kernel
def _tell_children(work: Workspace) -> None:
    """Let each first action have the visits and the mean of its most visited way."""
    for child in range(1, int(work.used[0])):
        work.nodes[child].visits = 0
    for index in range(work.ways.used[0]):
        way = work.ways.listed[index]
        node = work.nodes[way.child]
        if way.visits > node.visits:
            node.visits = way.visits
            node.q = way.q
