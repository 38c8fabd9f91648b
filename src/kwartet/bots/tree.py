"""The compiled part of the search: one tree over any game's verbs.

Every simulation fills in what the seat does not know, walks down the tree, plays on
to the end and writes the result back along the path. Each node keeps the value for the
seat that chose it, so two to four seats each follow their own interest. A child is chosen
by Q + U (PUCT): its mean result, and an exploration term of what the prior expects of it
and how seldom it was tried.

Where everything lies open, a node's children are made at once and lie side by side, and
chance has nodes of its own, one child for each outcome met. Where hands are hidden, a node
stands for all worlds with the same past: chance leaves no trace in the tree, and of the
children only those count that are legal in the world at hand.

Where two seats play without chance or secrets, a node also has bounds of what it comes to if
both play well. They meet where the match is over and are drawn in from there; what passes
through a node is brought within them, and children that cannot matter between the bounds
above them are no longer tried (score-bounded search).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.bots.leaf import blend, evaluate, expect, play_on
from kwartet.bots.network import Network
from kwartet.bots.workspace import NONE, ROOT, Nodes, Settings, Workspace
from kwartet.core.chance import Generator, below
from kwartet.core.engine import States
from kwartet.core.game import MAX_SEATS
from kwartet.core.kernels import inlined_kernel, kernel, lean_kernel
from kwartet.core.verbs import (
    CHANCE,
    OVER,
    actor,
    apply,
    candidates,
    describe,
    determinize,
    outlook,
    random_action,
    survey,
)

_FAR: Final = 1 << 30


@lean_kernel
def _clear(work: Workspace) -> None:
    """No simulation of this turn has been made."""
    work.made[0] = 0
    work.sums[:] = 0.0


@inlined_kernel
def tally(work: Workspace) -> None:
    """Count a simulation and what it came to for every seat."""
    work.made[0] += 1
    for seat in range(MAX_SEATS):
        work.sums[seat] += work.values[seat]


@lean_kernel
def plant(work: Workspace) -> None:
    """Begin a new tree."""
    work.used[0] = 1
    _clear(work)
    work.ways.used[0] = 0
    _make_node(work.nodes, ROOT, NONE, 1.0)


@lean_kernel
def find_child(nodes: Nodes, node: int, action: int) -> int:
    """The child that an action leads to, of children that lie side by side; NONE without one."""
    first = int(nodes[node].first)
    for child in range(first, first + int(nodes[node].count)):
        if nodes[child].action == action:
            return child
    return NONE


@kernel
def keep(work: Workspace, node: int) -> None:
    """Let the tree begin at a node of it; what does not follow from it is forgotten.

    Children come after their parents and lie side by side, so nodes only move forward.
    """
    _clear(work)
    nodes, used = work.nodes, int(work.used[0])
    places = np.full(used, NONE, np.int32)  # where a node that is kept goes
    places[node] = ROOT
    for old in range(node, used):
        first = int(nodes[old].first)
        if places[old] != NONE and first != NONE:
            places[first : first + int(nodes[old].count)] = ROOT
    count = 0
    for old in range(node, used):
        if places[old] != NONE:
            places[old] = count
            count += 1
    for old in range(node, used):
        if places[old] != NONE:
            nodes[places[old]] = nodes[old]
            kept = nodes[places[old]]
            if kept.first != NONE:
                kept.first = places[kept.first]
    work.used[0] = count


@lean_kernel
def simulate(
    work: Workspace,
    root: States,
    seat: int,
    weights: npt.NDArray[np.float32],
    network: Network,
    settings: Settings,
    rng: Generator,
    simulations: int,
) -> None:
    """Let the tree grow by that many simulations from what the seat knows, or to a proof."""
    foresight, horizon = (_FAR, _FAR) if settings.uct else outlook(root[0])
    for _ in range(simulations):
        if is_proven(work.nodes[ROOT]):
            return
        work.world[0] = root[0]
        determinize(work.world[0], seat, rng)
        depth, turns, last = descend(work, seat, weights, settings, foresight, rng, rng)
        is_foreseen = expect(work, int(work.path[depth - 1]), network, settings)
        if settings.blend < 1.0 or actor(work.world[0]) == OVER:
            play_on(work.world[0], turns, last, horizon, settings.uct, rng, rng)
            evaluate(work.world[0], settings, work.points, work.wins, work.values)
        if is_foreseen:
            blend(work, settings)
        back_up(work.nodes, work.path, work.choosers, work.values, depth, settings)
        tally(work)


@inlined_kernel
def descend(
    work: Workspace,
    seat: int,
    weights: npt.NDArray[np.float32],
    settings: Settings,
    foresight: int,
    luck: Generator,
    rng: Generator,
) -> tuple[int, int, int]:
    """Walk to a node that has no children yet, or where the foresight ends, writing the path.

    Chance draws from `luck`. Returns its length, how many turns have ended on it and the seat
    whose turn it is then.
    """
    state = work.world[0]
    nodes, path, choosers = work.nodes, work.path, work.choosers
    node = ROOT
    depth, turns = 0, 0
    low, high = -np.inf, np.inf  # what seats 0 and 1 have for sure along the path
    while True:
        acting = actor(state)
        while acting == CHANCE and settings.secrets:
            apply(state, random_action(state, luck))
            acting = actor(state)
        path[depth] = node
        choosers[depth] = acting
        depth += 1
        if acting >= 0 and acting != seat:
            turns += 1
            seat = acting
        is_young = nodes[node].visits < settings.expand_at and node != ROOT
        if acting == OVER or turns >= foresight or is_young:
            return depth, turns, seat
        if acting == CHANCE:
            child = _outcome(work, node, random_action(state, luck))
        elif settings.secrets:
            child = _select_known(work, node, weights, settings, rng)
        elif nodes[node].first == NONE and not _expand(work, node, weights, settings, rng):
            child = NONE
        else:
            if acting == 0:
                low = max(low, nodes[node].low)
            else:
                high = min(high, nodes[node].high)
            child = _select(nodes, node, settings, low, high)
        if child == NONE:  # the memory is full
            return depth, turns, seat
        apply(state, int(nodes[child].action))
        node = child


@lean_kernel
def _make_node(nodes: Nodes, index: int, action: int, prior: float) -> None:
    """Write a node without visits or children."""
    node = nodes[index]
    node.q = 0.0
    node.value = 0.0
    node.prior = prior
    node.bonus = prior
    node.low = -np.inf
    node.high = np.inf
    node.expected = np.nan
    node.exploration = 0.0
    node.visits = 0
    node.action = action
    node.first = NONE
    node.next = NONE
    node.count = 0
    node.tried = 0
    node.told = 0
    node.told_q = 0.0
    node.told_value = 0.0
    node.together = 1


@lean_kernel
def add_child(work: Workspace, parent: int, action: int, prior: float) -> int:
    """A new first child; there is room for it."""
    nodes = work.nodes
    child = int(work.used[0])
    work.used[0] = child + 1
    _make_node(nodes, child, action, prior)
    nodes[child].next = nodes[parent].first
    nodes[parent].first = child
    nodes[parent].count += 1
    return child


@lean_kernel
def _outcome(work: Workspace, node: int, action: int) -> int:
    """The child for this outcome of chance, or NONE if there is no room for it."""
    nodes = work.nodes
    child = int(nodes[node].first)
    while child != NONE:
        if nodes[child].action == action:
            return child
        child = int(nodes[child].next)
    return add_child(work, node, action, 0.0) if work.used[0] < len(nodes) else NONE


@lean_kernel
def _likelihood(
    work: Workspace, state: np.record, action: int, weights: npt.NDArray[np.float32]
) -> float:
    """The prior of an action of the state surveyed last, before it is divided by the sum of all."""
    total = 0.0
    for index in range(describe(state, action, work.notes, work.features)):
        total += float(weights[work.features[index]])
    return np.exp(total)


@lean_kernel
def is_proven(node: np.record) -> bool:
    """Whether its exact result is known."""
    return bool(node.low == node.high)


@inlined_kernel
def _select(nodes: Nodes, node: int, settings: Settings, low: float, high: float) -> int:
    """The child with the highest Q + U; one without visits has the node's own value for Q.

    So of those not tried yet only the likeliest counts, which is the next one. Children that
    come to nothing between the bounds are passed over.
    """
    here = nodes[node]
    first, tried = int(here.first), int(here.tried)
    expected, exploration = here.value, here.exploration
    best, best_bound = NONE, -np.inf
    if tried < here.count:
        best = first + tried
        best_bound = np.inf if settings.uct else expected + exploration * nodes[best].bonus
    is_bound = low > -np.inf or high < np.inf  # else all children matter
    for child in range(first, first + tried):
        other = nodes[child]
        if is_bound and (other.high <= low or other.low >= high):
            continue
        q = other.q if other.visits > 0 else expected
        bound = q + exploration * other.bonus
        if bound > best_bound:
            best, best_bound = child, bound
    if best == first + tried:
        here.tried += 1
        if not settings.uct:
            _bring_forward(nodes, best + 1, first + int(here.count))
    return best


@lean_kernel
def _bring_forward(nodes: Nodes, first: int, end: int) -> None:
    """Let the likeliest of these children, none of which has been tried, be the first."""
    best = first
    for child in range(first + 1, end):
        if nodes[child].prior > nodes[best].prior:
            best = child
    if best > first:
        here, there = nodes[first], nodes[best]
        here.action, there.action = there.action, here.action
        here.prior, there.prior = there.prior, here.prior
        here.bonus, there.bonus = there.bonus, here.bonus


@lean_kernel
def _expand(
    work: Workspace,
    node: int,
    weights: npt.NDArray[np.float32],
    settings: Settings,
    rng: Generator,
) -> bool:
    """Make a node's children side by side; False if there is no room."""
    state = work.world[0]
    nodes = work.nodes
    count = candidates(state, work.legal)
    first = int(work.used[0])
    if first + count > len(nodes):
        return False
    if len(weights) > 0:
        survey(state, work.notes)
    total = 0.0
    turn = below(rng, count) if settings.uct else 0
    for index in range(count):
        action = int(work.legal[(index + turn) % count])
        prior = _likelihood(work, state, action, weights) if len(weights) > 0 else 1.0
        total += prior
        _make_node(nodes, first + index, action, prior)
    for child in range(first, first + count):
        nodes[child].prior /= total
        nodes[child].bonus = nodes[child].prior
    work.used[0] = first + count
    nodes[node].first = first
    nodes[node].count = count
    nodes[node].tried = 0
    if not settings.uct:
        _bring_forward(nodes, first, first + count)
    nodes[node].exploration = _exploration(int(nodes[node].visits), settings)
    return True


@lean_kernel
def _select_known(
    work: Workspace,
    node: int,
    weights: npt.NDArray[np.float32],
    settings: Settings,
    rng: Generator,
) -> int:
    """The child with the highest Q + U of those legal in this world; NONE if there is no room."""
    nodes, found = work.nodes, work.legal
    count = candidates(work.world[0], work.legal)
    first = _find_together(nodes, node, work.legal, count)
    if first == NONE:
        count = _gather(work, node, count, weights)
    else:
        for index in range(count):
            found[index] = first + index
    return _best_known(work, node, count, settings, rng)


@lean_kernel
def _find_together(nodes: Nodes, node: int, actions: npt.NDArray[np.int32], count: int) -> int:
    """The first of the children that were made at once for just these actions; NONE if none were.

    They lie side by side. A world with the same hand finds them so without a look at all others.
    """
    last = int(nodes[node].first)
    while last != NONE:
        first = last + 1 - int(nodes[last].together)
        index = 0 if last - first + 1 == count else count + 1
        while index < count and nodes[first + index].action == actions[index]:
            index += 1
        if index == count:
            return first
        last = int(nodes[first].next)
    return NONE


@lean_kernel
def _gather(work: Workspace, node: int, count: int, weights: npt.NDArray[np.float32]) -> int:
    """Write the children of so many actions in their place, new ones where there are none.

    Returns how many there are: fewer if there is no room.
    """
    state = work.world[0]
    nodes, child_of, legal = work.nodes, work.child_of, work.legal
    child = int(nodes[node].first)
    while child != NONE:
        child_of[nodes[child].action] = child
        child = int(nodes[child].next)
    used, known = int(work.used[0]), 0
    for index in range(count):
        action = int(legal[index])
        child = int(child_of[action])
        if child == NONE:
            if work.used[0] == len(nodes):
                continue
            if work.used[0] == used and len(weights) > 0:
                survey(state, work.notes)
            prior = _likelihood(work, state, action, weights) if len(weights) > 0 else 1.0
            child = add_child(work, node, action, prior)
        legal[known] = child
        known += 1
    if work.used[0] > used:
        nodes[nodes[node].first].together = work.used[0] - used
    child = int(nodes[node].first)
    while child != NONE:
        child_of[nodes[child].action] = NONE
        child = int(nodes[child].next)
    return known


@lean_kernel
def _best_known(work: Workspace, node: int, count: int, settings: Settings, rng: Generator) -> int:
    """Of the children that stand in `legal`, so many, the best one."""
    if count == 0:
        return NONE
    nodes, children = work.nodes, work.legal
    here = nodes[node]
    total, visits = 0.0, 0
    for index in range(count):
        total += nodes[children[index]].prior
        visits += nodes[children[index]].visits
    exploration = _exploration(visits, settings) / (1.0 if settings.uct else total)
    start = below(rng, count) if settings.uct else 0
    best, best_bound = NONE, -np.inf
    for index in range(count):
        child = int(children[(start + index) % count])
        other = nodes[child]
        if settings.uct and other.visits == 0:
            return child
        q = other.q if other.visits > 0 else here.value
        bound = q + exploration * other.bonus
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@inlined_kernel
def back_up(
    nodes: Nodes,
    path: npt.NDArray[np.int32],
    choosers: npt.NDArray[np.int8],
    values: npt.NDArray[np.float64],
    depth: int,
    settings: Settings,
) -> None:
    """Write the result along the path, from its end; what is certain stays so."""
    has_news = settings.proof
    for index in range(depth - 1, -1, -1):
        node = nodes[path[index]]
        acting = int(choosers[index])
        if has_news:
            has_news = _draw_in(nodes, path[index], acting, values[0])
        if settings.proof:
            values[0] = min(max(values[0], node.low), node.high)
            values[1] = -values[0]
        visits = int(node.visits) + 1
        share = 1.0 / visits
        node.visits = visits
        chooser = int(choosers[index - 1]) if index > 0 else OVER
        if chooser >= 0:
            node.q += share * (values[chooser] - node.q)
        if acting >= 0:
            node.value += share * (values[acting] - node.value)
        weigh(node, settings)


@inlined_kernel
def weigh(node: np.record, settings: Settings) -> None:
    """Let a node's visits count where it and its children are chosen."""
    visits = int(node.visits)
    node.bonus = np.sqrt(1.0 / visits) if settings.uct else node.prior / (visits + 1.0)
    node.exploration = _exploration(visits, settings)


@lean_kernel
def _draw_in(nodes: Nodes, index: int, acting: int, result: float) -> bool:
    """Bring a node's bounds in line with its children's, or with the end; whether they moved."""
    node = nodes[index]
    low, high = node.low, node.high
    if acting == OVER:
        node.low = result
        node.high = result
        return bool(low != node.low)
    first, count = int(node.first), int(node.count)
    if first == NONE:
        return False
    best_low, best_high = nodes[first].low, nodes[first].high
    for child in range(first + 1, first + count):
        other = nodes[child]
        if acting == 0:
            best_low = max(best_low, other.low)
            best_high = max(best_high, other.high)
        else:
            best_low = min(best_low, other.low)
            best_high = min(best_high, other.high)
    node.low = best_low
    node.high = best_high
    return bool(low != best_low or high != best_high)


@lean_kernel
def _exploration(visits: int, settings: Settings) -> float:
    """How much the children's bonuses count after so many visits."""
    if settings.uct:
        return settings.exploration * np.sqrt(np.log(max(visits, 1)))
    return settings.exploration * np.sqrt(visits + 1.0)
