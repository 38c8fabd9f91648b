"""What a joker kept is worth in Kwatro: quick players that keep them for more or for less.

    python -m bench.jokers --players 2 --against 50 --matches 3000 24 40 60

Each worth named plays that many deals against the worth to compare with, every deal once for
each seat with the one player of the new worth among the old ones. They play a whole match in
milliseconds, so that a few points of difference show.
"""

import argparse
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import bits
from kwartet.core.chance import Generator, generator, next_bits
from kwartet.core.engine import States
from kwartet.core.game import MAX_SEATS
from kwartet.core.kernels import kernel
from kwartet.core.verbs import CHANCE, OVER, actor, apply, random_action, scores, seats
from kwartet.games import find
from kwartet.games.kwatro.tactics import JOKER_WORTH, thrifty_action

_STRIDE: Final = np.uint64(1_000_003)  # between the luck of two deals


@kernel
def play_out(
    state: np.record,
    worths: npt.NDArray[np.int64],
    deal: np.uint64,
    luck: Generator,
    points: npt.NDArray[np.int32],
) -> None:
    """Play a match to its end; the n-th card of the pile depends on the deal alone."""
    acting = actor(state)
    while acting != OVER:
        if acting == CHANCE:
            left = bits.size(state.unseen) + bits.size(np.uint64(state.unseen_jokers))
            luck[0] = deal * _STRIDE + np.uint64(left)
            luck[0] = next_bits(luck)
            apply(state, random_action(state, luck))
        else:
            apply(state, thrifty_action(state, worths[acting]))
        acting = actor(state)
    scores(state, points)


@kernel
def compare(
    start: States, new: int, old: int, first: np.uint64, out: npt.NDArray[np.float64]
) -> None:
    """Write, by deal, the new one's mean points above the old ones' and its share of wins."""
    state, luck = start.copy(), np.zeros(1, np.uint64)
    points, worths = np.zeros(MAX_SEATS, np.int32), np.empty(MAX_SEATS, np.int64)
    count = seats(start[0])
    out[:] = 0.0
    for index in range(len(out)):
        for seat in range(count):
            state[0] = start[0]
            worths[:] = old
            worths[seat] = new
            play_out(state[0], worths, first + np.uint64(index), luck, points)
            most, total = points[:count].max(), points[:count].sum()
            leaders = 0
            for other in range(count):
                leaders += points[other] == most
            others = (total - points[seat]) / (count - 1)
            out[index, 0] += (points[seat] - others) / count
            out[index, 1] += (points[seat] == most) / leaders / count


def main() -> None:
    """Print one line for each worth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("worths", nargs="+", type=int)
    parser.add_argument("--against", type=int, default=JOKER_WORTH)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--matches", type=int, default=1000, help="deals")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = find("kwatro").rules.start({"players": options.players})
    first = generator(options.seed)[0]
    for worth in options.worths:
        found = np.empty((options.matches, 2))
        compare(start, worth, options.against, first, found)
        error = found.std(axis=0) / options.matches**0.5
        points, share = found.mean(axis=0)
        print(
            f"{worth} among {options.against}: {points:+.1f} ± {error[0]:.1f} points,"
            f" {100 * share:.1f} ± {100 * error[1]:.1f} % of the wins",
            flush=True,
        )


if __name__ == "__main__":
    main()
