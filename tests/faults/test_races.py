"""The checker of histories finds what is planted in one, and nothing where nothing is."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import pytest

from tests.faults.histories import Command, History, Line, View, faults_in

Logs = dict[str, list[Line]]


def sound() -> tuple[History, Logs]:
    """A history as it should be: two devices, three moves, a word that was refused."""
    moves = [
        Command("ann", "t", "a1", 1.0, 0, "a", ended=1.2, version=3),
        Command("bob", "t", "b1", 1.1, 0, "b", ended=1.5, code="stale-ply"),
        Command("bob", "t", "b2", 2.0, 1, "c", ended=2.3, version=4),
        Command("ann", "t", "a2", 3.0, 2, "d"),  # never answered, and done
        Command("bob", "t", "b3", 3.1, ended=3.2, code="muted"),
        Command("ann", "t", "a3", 3.2),  # never answered, and not done
    ]
    views = [
        View("ann", "t", 0.5, 2, ()),
        View("ann", "t", 1.3, 3, ("a",)),
        View("bob", "t", 1.4, 3, ("a",)),
        View("bob", "t", 2.4, 4, ("a", "c")),
        View("ann", "t", 3.3, 5, ("a", "c", "d")),
    ]
    log = [
        Line(1, "", ()),
        Line(2, "", ()),
        Line(3, "a1", ("a",)),
        Line(4, "b2", ("c",)),
        Line(5, "a2", ("d",)),
    ]
    return History(moves, views, ["t"]), {"t": log}


def lose(history: History, logs: Logs) -> None:
    del logs["t"][3:]


def leave_a_gap(history: History, logs: Logs) -> None:
    del logs["t"][1]


def double(history: History, logs: Logs) -> None:
    logs["t"].append(replace(logs["t"][2], number=6))


def swap(history: History, logs: Logs) -> None:
    """The answers agree with the log, but what was answered comes after what came later."""
    history.commands[0].version, history.commands[2].version = 4, 3
    history.commands[0].ply = history.commands[2].ply = None
    logs["t"][2:4] = [Line(3, "b2", ("c",)), Line(4, "a1", ("a",))]
    history.views.clear()


def carry_out_what_was_refused(history: History, logs: Logs) -> None:
    logs["t"].append(Line(6, "b3", ()))


def play_another_move(history: History, logs: Logs) -> None:
    logs["t"][2] = replace(logs["t"][2], moves=("z",))
    history.views.clear()


def answer_for_another(history: History, logs: Logs) -> None:
    history.commands[0].version = 4


def show_what_never_was(history: History, logs: Logs) -> None:
    history.views[2] = replace(history.views[2], log=("b",))


def show_what_is_not_durable(history: History, logs: Logs) -> None:
    history.views.append(View("ann", "t", 9.0, 6, ("a", "c", "d", "e")))


def show_the_future(history: History, logs: Logs) -> None:
    history.views[3] = replace(history.views[3], at=1.9)


def go_back(history: History, logs: Logs) -> None:
    history.views.append(replace(history.views[1], at=9.0))


def test_a_sound_history_has_no_faults() -> None:
    assert not faults_in(*sound())


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (lose, "lost"),
        (leave_a_gap, "gaps"),
        (double, "carried out 2 times"),
        (swap, "comes after"),
        (carry_out_what_was_refused, "was refused"),
        (play_another_move, "not there"),
        (answer_for_another, "was accepted as 4"),
        (show_what_never_was, "never was"),
        (show_what_is_not_durable, "never was"),
        (show_the_future, "before it was wished"),
        (go_back, "version 3 after 5"),
    ],
)
def test_a_planted_fault_is_found(plant: Callable[[History, Logs], None], words: str) -> None:
    history, logs = deepcopy(sound())
    plant(history, logs)
    assert any(words in fault for fault in faults_in(history, logs))
