"""The memory of a search: nodes, what a simulation is played on, and how findings are weighed."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.bots.network import Glance, make_glance
from kwartet.core.chance import Generator
from kwartet.core.engine import Actions, States
from kwartet.core.game import MAX_SEATS, Game
from kwartet.core.kernels import record_dtype

ROOT: Final = 0
NONE: Final = -1

NODE: Final = record_dtype(
    ("q", np.float64),  # mean result for the seat that chose this node
    ("value", np.float64),  # mean result for the seat that chooses here
    ("prior", np.float64),  # P; where hands are hidden, before it is divided by the sum
    ("bonus", np.float64),  # this node's part of its U: P / (1 + N), in plain UCT √(1 / N)
    ("low", np.float32),  # bounds of its exact result for seat 0; equal: proven
    ("high", np.float32),
    ("expected", np.float32),  # by the network for seat 0 of two; NaN: not read yet
    ("exploration", np.float32),  # its children's part of theirs: c √(1 + N), in UCT c √ln N
    ("visits", np.int32),
    ("action", np.int32),  # that leads here
    ("first", np.int32),  # child, or NONE
    ("next", np.int32),  # sibling, or NONE
    ("count", np.int32),  # of children
    ("tried", np.int32),  # children that have been chosen, which are the first ones
    ("told", np.int32),  # visits of the same node in other trees that are among its own
    ("told_q", np.float64),  # their results, added up: for the seat that chose this node,
    ("told_value", np.float64),  # and for the one that chooses here
    ("together", np.int32),  # siblings up to this one that were made at once; hidden hands only
)


Nodes = npt.NDArray[Any]  # of NODE

LENGTH: Final = 8  # actions of a turn; longer ones are played on quickly
WAYS: Final = 4000  # more are not compared; 1,131 were met in Kwatro
WAY: Final = record_dtype(
    ("q", np.float64),  # mean result for the seat
    ("prior", np.float64),
    ("visits", np.int32),
    ("child", np.int32),  # node of its first action
    ("actions", np.int32, (LENGTH,)),
    ("length", np.int32),  # how many of them there are
)


class Ways(NamedTuple):
    """The ways to play a turn, and what they are listed with."""

    listed: npt.NDArray[Any]  # of WAY
    used: npt.NDArray[np.int64]  # how many are listed
    luck: Generator  # of the running simulation
    ladder: States  # the states of a way, one after each action
    legal: npt.NDArray[np.int32]  # (step of the ladder, actions)
    open: npt.NDArray[np.int64]  # by step: how many of them there are,
    tried: npt.NDArray[np.int64]  # and how many have been followed


class Settings(NamedTuple):
    """How a search weighs what it finds."""

    exploration: float = 2.0  # c, how much U counts beside Q
    uct: bool = False  # plain UCT: no prior, every child once, then the upper confidence bound
    result: float = 0.4  # weight of winning or not; the rest is the margin's
    margin: float = 1.0  # points that make a clear lead
    expand_at: int = 8  # visits after which a node gets children
    secrets: bool = False
    blend: float = 0.0  # the network's part in what a position is worth, beside playing on
    proof: bool = False  # keep bounds: only for two seats without chance and secrets
    turns: bool = False  # compare whole turns where the search covers one


class Workspace(NamedTuple):
    """The memory of one tree, made once."""

    nodes: Nodes
    used: npt.NDArray[np.int64]  # how many nodes are in use
    world: States  # the state of the running simulation
    ahead: States  # the state after one action more
    glance: Glance
    ways: Ways
    legal: Actions
    notes: npt.NDArray[np.int32]  # of the survey of a state
    features: npt.NDArray[np.int32]
    child_of: npt.NDArray[np.int32]  # by action; NONE between uses
    path: npt.NDArray[np.int32]  # nodes of the running simulation
    choosers: npt.NDArray[np.int8]  # the seat, or CHANCE, that chooses at the path's nodes
    points: npt.NDArray[np.int32]
    wins: npt.NDArray[np.int8]
    values: npt.NDArray[np.float64]  # a seat's result of the running simulation,
    expected: npt.NDArray[np.float64]  # what the network expects of it,
    sums: npt.NDArray[np.float64]  # and the results of all simulations of this turn, added up
    made: npt.NDArray[np.int64]  # how many these are


def make_workspace(game: Game, capacity: int) -> Workspace:
    """Memory for a tree of so many nodes; pages that are not touched cost nothing."""
    rules = game.rules
    actions = max(rules.ACTIONS, rules.CHANCE_ACTIONS)
    return Workspace(
        nodes=np.empty(capacity, NODE),
        used=np.zeros(1, np.int64),
        world=np.zeros(1, rules.STATE),
        ahead=np.zeros(1, rules.STATE),
        glance=make_glance(max((look.most for look in game.knowledge.looks.values()), default=0)),
        ways=_make_ways(game),
        legal=np.empty(rules.MAX_LEGAL, np.int32),
        notes=np.empty(game.knowledge.notes, np.int32),
        features=np.empty(game.knowledge.max_features, np.int32),
        child_of=np.full(actions, NONE, np.int32),
        path=np.empty(rules.MAX_ACTIONS + 2, np.int32),
        choosers=np.empty(rules.MAX_ACTIONS + 2, np.int8),
        points=np.zeros(MAX_SEATS, np.int32),
        wins=np.zeros(MAX_SEATS, np.int8),
        values=np.zeros(MAX_SEATS),
        expected=np.zeros(MAX_SEATS),
        sums=np.zeros(MAX_SEATS),
        made=np.zeros(1, np.int64),
    )


def _make_ways(game: Game) -> Ways:
    rules = game.rules
    return Ways(
        listed=np.empty(WAYS, WAY),
        used=np.zeros(1, np.int64),
        luck=np.zeros(1, np.uint64),
        ladder=np.zeros(LENGTH + 1, rules.STATE),
        legal=np.empty((LENGTH, rules.MAX_LEGAL), np.int32),
        open=np.zeros(LENGTH, np.int64),
        tried=np.zeros(LENGTH, np.int64),
    )
