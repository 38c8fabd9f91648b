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
"""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator, below
from kwartet.core.engine import Actions, States
from kwartet.core.game import MAX_SEATS, Game
from kwartet.core.kernels import inlined_kernel, lean_kernel, record_dtype
from kwartet.core.scoring import returns
from kwartet.core.verbs import (
    CHANCE,
    OVER,
    actor,
    apply,
    appraise,
    candidates,
    describe,
    determinize,
    likely_action,
    outlook,
    random_action,
    scores,
    seats,
    survey,
)

ROOT: Final = 0
NONE: Final = -1
_FAR: Final = 1 << 30

NODE: Final = record_dtype(
    ("q", np.float64),  # mean result for the seat that chose this node
    ("value", np.float64),  # mean result for the seat that chooses here
    ("prior", np.float64),  # P; where hands are hidden, before it is divided by the sum
    ("bonus", np.float64),  # this node's part of its U: P / (1 + N), in plain UCT √(1 / N)
    ("exploration", np.float32),  # its children's part of theirs: c √(1 + N), in UCT c √ln N
    ("visits", np.int32),
    ("action", np.int32),  # that leads here
    ("first", np.int32),  # child, or NONE
    ("next", np.int32),  # sibling, or NONE
    ("count", np.int32),  # of children
    ("tried", np.int32),  # children that plain UCT has chosen once
)


Nodes = npt.NDArray[Any]  # of NODE


class Settings(NamedTuple):
    """How a search weighs what it finds."""

    exploration: float = 2.0  # c, how much U counts beside Q
    uct: bool = False  # plain UCT: no prior, every child once, then the upper confidence bound
    result: float = 0.4  # weight of winning or not; the rest is the margin's
    margin: float = 1.0  # points that make a clear lead
    expand_at: int = 8  # visits after which a node gets children
    secrets: bool = False


class Workspace(NamedTuple):
    """The memory of one tree, made once."""

    nodes: Nodes
    used: npt.NDArray[np.int64]  # how many nodes are in use
    world: States  # the state of the running simulation
    legal: Actions
    notes: npt.NDArray[np.int32]  # of the survey of a state
    features: npt.NDArray[np.int32]
    child_of: npt.NDArray[np.int32]  # by action; NONE between uses
    path: npt.NDArray[np.int32]  # nodes of the running simulation
    choosers: npt.NDArray[np.int8]  # the seat, or CHANCE, that chooses at the path's nodes
    points: npt.NDArray[np.int32]
    wins: npt.NDArray[np.int8]
    values: npt.NDArray[np.float64]  # a seat's result of the running simulation


def make_workspace(game: Game, capacity: int) -> Workspace:
    """Memory for a tree of so many nodes; pages that are not touched cost nothing."""
    rules = game.rules
    actions = max(rules.ACTIONS, rules.CHANCE_ACTIONS)
    return Workspace(
        nodes=np.empty(capacity, NODE),
        used=np.zeros(1, np.int64),
        world=np.zeros(1, rules.STATE),
        legal=np.empty(rules.MAX_LEGAL, np.int32),
        notes=np.empty(game.knowledge.notes, np.int32),
        features=np.empty(game.knowledge.max_features, np.int32),
        child_of=np.full(actions, NONE, np.int32),
        path=np.empty(rules.MAX_ACTIONS + 2, np.int32),
        choosers=np.empty(rules.MAX_ACTIONS + 2, np.int8),
        points=np.zeros(MAX_SEATS, np.int32),
        wins=np.zeros(MAX_SEATS, np.int8),
        values=np.zeros(MAX_SEATS),
    )


@lean_kernel
def plant(work: Workspace) -> None:
    """Begin a new tree."""
    work.used[0] = 1
    _make_node(work.nodes, ROOT, NONE, 1.0)


@lean_kernel
def simulate(
    work: Workspace,
    root: States,
    seat: int,
    weights: npt.NDArray[np.float32],
    settings: Settings,
    rng: Generator,
    simulations: int,
) -> None:
    """Let the tree grow by that many simulations from what the seat knows."""
    foresight, horizon = (_FAR, _FAR) if settings.uct else outlook(root[0])
    for _ in range(simulations):
        work.world[0] = root[0]
        determinize(work.world[0], seat, rng)
        depth, turns, last = descend(work, seat, weights, settings, foresight, rng, rng)
        play_on(work.world[0], turns, last, horizon, settings.uct, rng, rng)
        evaluate(work.world[0], settings, work.points, work.wins, work.values)
        back_up(work.nodes, work.path, work.choosers, work.values, depth, settings)


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
            child = _select(nodes, node)
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
    node.exploration = 0.0
    node.visits = 0
    node.action = action
    node.first = NONE
    node.next = NONE
    node.count = 0
    node.tried = 0


@lean_kernel
def _add_child(work: Workspace, parent: int, action: int, prior: float) -> int:
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
    return _add_child(work, node, action, 0.0) if work.used[0] < len(nodes) else NONE


@lean_kernel
def _likelihood(
    work: Workspace, state: np.record, action: int, weights: npt.NDArray[np.float32]
) -> float:
    """The prior of an action of the state surveyed last, before it is divided by the sum of all."""
    total = 0.0
    for index in range(describe(state, action, work.notes, work.features)):
        total += float(weights[work.features[index]])
    return np.exp(total)


@inlined_kernel
def _select(nodes: Nodes, node: int) -> int:
    """The child with the highest Q + U; one without visits has the node's own value for Q."""
    here = nodes[node]
    first, count = int(here.first), int(here.count)
    if here.tried < count:
        here.tried += 1
        return first + here.tried - 1
    expected, exploration = here.value, here.exploration
    best, best_bound = NONE, -np.inf
    for child in range(first, first + count):
        other = nodes[child]
        q = other.q if other.visits > 0 else expected
        bound = q + exploration * other.bonus
        if bound > best_bound:
            best, best_bound = child, bound
    return best


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
    nodes[node].tried = 0 if settings.uct else count
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
    state = work.world[0]
    nodes, child_of, legal = work.nodes, work.child_of, work.legal
    count = candidates(state, legal)
    child = int(nodes[node].first)
    while child != NONE:
        child_of[nodes[child].action] = child
        child = int(nodes[child].next)
    total, visits, known = 0.0, 0, 0
    surveyed = len(weights) == 0
    for index in range(count):
        action = int(legal[index])
        child = int(child_of[action])
        if child == NONE:
            if work.used[0] == len(nodes):
                continue
            if not surveyed:
                survey(state, work.notes)
                surveyed = True
            prior = _likelihood(work, state, action, weights) if len(weights) > 0 else 1.0
            child = _add_child(work, node, action, prior)
            child_of[action] = child
        legal[known] = action
        known += 1
        total += nodes[child].prior
        visits += nodes[child].visits
    best = _best_known(work, node, known, total, visits, settings, rng)
    child = int(nodes[node].first)
    while child != NONE:
        child_of[nodes[child].action] = NONE
        child = int(nodes[child].next)
    return best


@lean_kernel
def _best_known(
    work: Workspace,
    node: int,
    count: int,
    total: float,
    visits: int,
    settings: Settings,
    rng: Generator,
) -> int:
    """Of the children that `legal` lists, whose priors and visits add up so, the best one."""
    if count == 0:
        return NONE
    nodes, child_of, legal = work.nodes, work.child_of, work.legal
    here = nodes[node]
    exploration = _exploration(visits, settings) / (1.0 if settings.uct else total)
    start = below(rng, count) if settings.uct else 0
    best, best_bound = NONE, -np.inf
    for index in range(count):
        child = int(child_of[legal[(start + index) % count]])
        other = nodes[child]
        if settings.uct and other.visits == 0:
            return child
        q = other.q if other.visits > 0 else here.value
        bound = q + exploration * other.bonus
        if bound > best_bound:
            best, best_bound = child, bound
    return best


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
def back_up(
    nodes: Nodes,
    path: npt.NDArray[np.int32],
    choosers: npt.NDArray[np.int8],
    values: npt.NDArray[np.float64],
    depth: int,
    settings: Settings,
) -> None:
    """Write the result along the path."""
    chooser = OVER
    for index in range(depth):
        node = nodes[path[index]]
        visits = int(node.visits) + 1
        share = 1.0 / visits
        node.visits = visits
        if chooser >= 0:
            node.q += share * (values[chooser] - node.q)
        chooser = int(choosers[index])
        if chooser >= 0:
            node.value += share * (values[chooser] - node.value)
        node.bonus = np.sqrt(share) if settings.uct else node.prior / (visits + 1.0)
        node.exploration = _exploration(visits, settings)


@lean_kernel
def _exploration(visits: int, settings: Settings) -> float:
    """How much the children's bonuses count after so many visits."""
    if settings.uct:
        return settings.exploration * np.sqrt(np.log(max(visits, 1)))
    return settings.exploration * np.sqrt(visits + 1.0)
