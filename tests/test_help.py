"""`--help`, the manual page and the shell's completion: one text, and all of it in step."""

import shlex

import pytest

from kwartet.cli import guide, manual
from tests.commands import kwartet_here
from tests.test_cli import COMMANDS

WORDS = {" ".join(words): command for words, command in COMMANDS if words}
EXAMPLES = [
    (words, line)
    for commands in guide.COMMANDS.values()
    for words, lines in commands.items()
    for line in lines
]


def test_every_command_stands_in_one_group_with_an_example() -> None:
    listed = [words for commands in guide.COMMANDS.values() for words in commands]
    assert sorted(listed) == sorted(WORDS)
    assert all(guide.examples(words) for words in listed)


@pytest.mark.parametrize(("words", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_every_example_can_be_typed(words: str, line: str) -> None:
    typed = shlex.split(line.partition(" >")[0])
    assert typed.pop(0) == "kwartet"
    if typed[0] == "--with":
        del typed[:2]
    assert typed[: len(words.split())] == words.split()
    named = " ".join(typed[:2]) if " ".join(typed[:2]) in WORDS else typed[0]
    # It would say what is wrong.
    WORDS[named].make_context("kwartet", typed[len(named.split()) :])


@pytest.mark.parametrize("words", sorted(WORDS))
def test_examples_stand_below_the_help(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = kwartet_here(*words.split(), "--help").stdout
    assert all(line in shown for line in guide.examples(words))


def test_the_help_is_grouped_by_who_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = kwartet_here("--help").stdout
    places = [shown.index(group) for group in guide.COMMANDS]
    assert places == sorted(places)


def plain(page: str) -> str:
    return page.replace(r"\-", "-").replace(r"\&", "").replace(r"\e", "\\")


def test_the_manual_page_has_every_command_option_and_example() -> None:
    page = plain(kwartet_here("manual").stdout)
    assert page == plain(manual.page())
    for words, command in WORDS.items():
        begin = page.index(f".SS kwartet {words}\n")
        part = page[begin : page.find("\n.S", begin + 1)]
        assert " ".join(command.help.split("\n\n")[0].split()).replace("`", "") in part
        for parameter in command.params:
            if not getattr(parameter, "hidden", False):
                assert all(name in part for name in parameter.opts if name.startswith("-"))
        assert all(line in part for line in guide.examples(words))


def test_no_line_of_the_manual_page_is_taken_for_something_else() -> None:
    requests = {"TH", "SH", "SS", "PP", "TP", "B", "nf", "fi", "RS", "RE"}
    for line in manual.page().splitlines():
        assert line.isascii()
        assert not line.startswith("'")
        assert not line.startswith(".") or line[1:].split()[0] in requests


@pytest.mark.parametrize(
    ("typed", "offers"),
    [
        ("kwartet play ca", {"carat", "carnac", "catan_dice"}),
        ("kwartet play carnac --bot ex", {"expert"}),
        ("kwartet simulate carnac -o bo", {"board=small", "board=medium", "board=large"}),
        ("kwartet wa", {"watch", "warmup"}),
        ("kwartet db ba", {"backup"}),
    ],
)
def test_shells_complete_commands_games_bots_and_options(
    typed: str, offers: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_KWARTET_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    assert set(kwartet_here().stdout.split()) == offers
