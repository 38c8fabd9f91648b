"""Trees that grow side by side tell each other what they found.

Each thread of a search has a tree of its own. Left alone, two trees find out what one does, twice;
so now and then what each has found at a node is added up over all of them, as far down as they
have been often enough. What a node was told is noted apart from what it found itself, so that
nothing counts twice. Nodes are the same where the same actions lead to them.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.bots.tree import weigh
from kwartet.bots.workspace import NONE, ROOT, Nodes, Settings, Workspace
from kwartet.core.kernels import kernel

OFTEN: Final = 16  # visits from which on a node is told of
MOST: Final = 4096  # nodes that are told of at once

Pairs = npt.NDArray[np.int32]  # (nodes, 2): a node of the first tree and the same of another


def exchange(works: Sequence[Workspace], settings: Settings) -> None:
    """Let all trees know what each has found."""
    first, *others = works
    pairs = [_pair(first.nodes, other.nodes, first.child_of) for other in others]
    for shared in pairs:
        _withdraw(first.nodes, shared)
    for other, shared in zip(others, pairs, strict=True):
        _gather(first.nodes, other.nodes, shared)
    for other, shared in zip(others, pairs, strict=True):
        _spread(first.nodes, other.nodes, shared, settings)


@kernel
def _pair(nodes: Nodes, others: Nodes, child_of: npt.NDArray[np.int32]) -> Pairs:
    """The nodes that are the same in two trees and often visited, parents first."""
    pairs = np.empty((MOST, 2), np.int32)
    pairs[0] = ROOT
    count = 1
    done = 0
    while done < count:
        node, other = pairs[done]
        done += 1
        child = first_child(others, other)
        while child != NONE:
            child_of[others[child].action] = child
            child = next_child(others, other, child)
        child = first_child(nodes, node)
        while child != NONE:
            same = child_of[nodes[child].action]
            if same != NONE and count < MOST and _counts(nodes[child], others[same], node):
                pairs[count, 0] = child
                pairs[count, 1] = same
                count += 1
            child = next_child(nodes, node, child)
        child = first_child(others, other)
        while child != NONE:
            child_of[others[child].action] = NONE
            child = next_child(others, other, child)
    return pairs[:count]


@kernel
def _counts(child: np.record, same: np.record, parent: int) -> bool:
    """Whether both trees have been there often; the root's children count from one visit on."""
    if parent == ROOT:
        return bool(child.visits + same.visits > 0)
    return bool(min(child.visits, same.visits) >= OFTEN)


@kernel
def first_child(nodes: Nodes, node: int) -> int:
    """A node's first child, or NONE."""
    return int(nodes[node].first)


@kernel
def next_child(nodes: Nodes, node: int, child: int) -> int:
    """The child after this one, or NONE: they are a chain, or they lie side by side."""
    follower = int(nodes[child].next)
    if follower != NONE:
        return follower
    last = int(nodes[node].first) + int(nodes[node].count) - 1
    is_side_by_side = nodes[nodes[node].first].next == NONE
    return child + 1 if is_side_by_side and child < last else NONE


@kernel
def _withdraw(nodes: Nodes, pairs: Pairs) -> None:
    """Leave nodes with what they found themselves."""
    for index in range(len(pairs)):
        _add(nodes[pairs[index, 0]], 0, 0.0, 0.0)


@kernel
def _gather(nodes: Nodes, others: Nodes, pairs: Pairs) -> None:
    """Tell nodes what the same nodes of another tree found themselves, beside what they know."""
    for index in range(len(pairs)):
        node, other = nodes[pairs[index, 0]], others[pairs[index, 1]]
        _add(
            node,
            node.told + other.visits - other.told,
            node.told_q + other.visits * other.q - other.told_q,
            node.told_value + other.visits * other.value - other.told_value,
        )
        node.low = max(node.low, other.low)
        node.high = min(node.high, other.high)


@kernel
def _spread(nodes: Nodes, others: Nodes, pairs: Pairs, settings: Settings) -> None:
    """Let the same nodes of another tree know what these know by now."""
    for index in range(len(pairs)):
        node, other = nodes[pairs[index, 0]], others[pairs[index, 1]]
        own = other.visits - other.told
        own_q = other.visits * other.q - other.told_q
        own_value = other.visits * other.value - other.told_value
        told_q = node.visits * node.q - own_q
        _add(other, node.visits - own, told_q, node.visits * node.value - own_value)
        other.low = node.low
        other.high = node.high
        weigh(node, settings)
        weigh(other, settings)
    nodes[ROOT].tried = nodes[ROOT].count  # what another tree has tried counts as tried here
    others[ROOT].tried = others[ROOT].count


@kernel
def _add(node: np.record, told: int, told_q: float, told_value: float) -> None:
    """Let a node have been told so much, and no more, beside what it found itself."""
    own = int(node.visits) - int(node.told)
    own_q = node.visits * node.q - node.told_q
    own_value = node.visits * node.value - node.told_value
    node.visits = own + told
    share = 1.0 / max(own + told, 1)
    node.q = share * (own_q + told_q)
    node.value = share * (own_value + told_value)
    node.told = told
    node.told_q = told_q
    node.told_value = told_value
