"""Random matches in blocks, on any pool: the same seed gives the same matches in the same order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from kwartet.arena.matches import Job
from kwartet.arena.pool import Lost, Pool
from kwartet.core.chance import generator
from kwartet.core.errors import GameError
from kwartet.core.records import line_of
from kwartet.core.simulation import random_match

SIZE: Final = 50  # matches in a block


@dataclass(frozen=True)
class Simulation:
    """What is asked of every block."""

    job: Job
    seed: int
    is_recorded: bool  # whether the matches are written down


@dataclass(frozen=True)
class Block:
    """Matches that were played one after the other, added up."""

    matches: int
    moves: int
    scores: list[int]  # of each seat
    wins: list[float]  # of each seat; a shared win counts in parts
    lines: list[str]  # the records, where they were asked for


def simulate(pool: Pool, asked: Simulation, matches: int) -> Iterator[Block]:
    """Play so many matches; blocks come in order, those that are early wait for the others."""
    blocks = [range(first, min(first + SIZE, matches)) for first in range(0, matches, SIZE)]
    early: dict[int, Block] = {}
    turn = 0
    for numbers, block in pool.map(partial(play_block, asked), blocks):
        if isinstance(block, Lost):
            raise GameError("worker-lost", "A process ended in the middle of random matches.")
        early[numbers.start] = block
        while turn in early:
            block = early.pop(turn)
            turn += block.matches
            yield block


def play_block(asked: Simulation, numbers: range) -> Block:
    """Play the matches of these numbers, each with luck of its own."""
    job = asked.job
    game = job.find_game()
    moves, lines = 0, []
    scores = [0] * game.seats(job.options)
    wins = [0.0] * len(scores)
    for number in numbers:
        match = random_match(game, job.options, generator(asked.seed, number))
        moves += match.ply
        winners = match.winners()
        for seat, score in enumerate(match.scores()):
            scores[seat] += score
            wins[seat] += (seat in winners) / len(winners)
        if asked.is_recorded:
            lines.append(line_of(match.record()) + "\n")
    return Block(len(numbers), moves, scores, wins, lines)
