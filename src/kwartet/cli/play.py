"""`kwartet play`: a match in the terminal, against bots or with friends."""

import random
from typing import TYPE_CHECKING, Annotated

import typer
from rich.panel import Panel
from rich.text import Text

from kwartet.cli.terminal import (
    GameOptions,
    check_names,
    console,
    find_game,
    prepare,
    prepare_bots,
    show_error,
)
from kwartet.core.errors import GameError, some_of
from kwartet.core.game import Game
from kwartet.games import GAMES, find

if TYPE_CHECKING:
    from kwartet.bots.bot import Bot
    from kwartet.core.match import Match

FEW = 32  # so many moves are shown without asking
HELP = (
    "Type a move in notation. [bold]?[/] lists what is possible, [bold]? c3[/] what begins with "
    "c3, [bold]hint[/] says what an expert would play, [bold]undo[/] takes your last move back, "
    "[bold]board[/] shows the board again, [bold]quit[/] ends."
)


def run(
    key: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="See `kwartet games`; asked for if left out."),
    ] = None,
    people: Annotated[
        int, typer.Option(min=0, help="Seats played here, from seat 0; bots play the others.")
    ] = 1,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            help="Who plays the other seats: novice, casual, skilled, expert, master, or "
            "module:Class for a bot of your own. Repeatable, one a seat; the last one goes on."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes the luck of the match.")] = None,
    option: GameOptions = None,
) -> None:
    """Play a match in the terminal."""
    from kwartet.bots.catalogue import create
    from kwartet.core.match import Match

    try:
        game, options = find_game(key or _ask_for_game(), option)
        free = max(0, game.seats(options) - people)
        names = bot or [_ask_for_level(game) if key is None and free else "skilled"]
        others = [names[min(index, len(names) - 1)] for index in range(free)]
        check_names(game, others)
        bots = {people + index: create(name, game, threads=2) for index, name in enumerate(others)}
        prepare([game], bots=True)
        prepare_bots(game, options, others)
        console.print(HELP)
        _play(Match(game, options, seed=seed), people, bots, random.Random(seed))
    except (EOFError, KeyboardInterrupt):
        console.print("\nUntil next time.")


def _ask_for_game() -> str:
    games = list(GAMES.values())
    for number, game in enumerate(games, 1):
        console.print(f"[bold]{number}[/]  {game.title} [dim]– {game.summary}[/]")
    while True:
        answer = console.input("Which game? ").strip()
        for number, game in enumerate(games, 1):
            if answer == str(number):
                return game.key
        try:
            return find(answer).key
        except GameError as error:
            show_error(error)


def _ask_for_level(game: Game) -> str:
    from kwartet.bots.catalogue import describe

    levels = describe(game)
    for number, (level, sentence) in enumerate(levels.items(), 1):
        console.print(f"[bold]{number}[/]  {level} [dim]– {sentence}[/]")
    while True:
        answer = console.input("Against whom? ").strip()
        for number, level in enumerate(levels, 1):
            if answer in (str(number), level):
                return level
        console.print(f"Type a number from 1 to {len(levels)}, or a name.")


def _play(match: "Match", people: int, bots: dict[int, "Bot"], luck: random.Random) -> None:
    """Seats in turn until the match is over or the person leaves."""
    from kwartet.bots.bot import ask, turn_of

    told: dict[int, int] = {}  # by seat: up to which ply it has seen what was played
    before = 0  # the person who sat here last
    while (seat := match.actor) is not None:
        if seat in bots:
            with console.status(f"Seat {seat} is thinking …"):
                match.play(ask(bots[seat], turn_of(match, seed=luck.getrandbits(32))))
            continue
        if seat != before and people > 1:
            _hand_over(seat)
        _tell(match, seat, min(told.get(seat, 0), match.ply))
        _show(match, seat)
        _offer(match)
        if not _turn(match, seat, people):
            return
        told[seat], before = match.ply, seat
    _tell(match, None, max(told.values(), default=0))
    _show(match, None)
    _announce(match)


def _hand_over(seat: int) -> None:
    """Hide one person's hand before the next one looks."""
    console.clear()
    console.input(f"Seat {seat} is next. Press Enter when nobody else is looking. ")


def _tell(match: "Match", seat: int | None, since: int) -> None:
    """What has been played since, as far as the seat may know it."""
    moves = [move for move in match.log(seat)[since:] if move != "*?"]
    if moves:
        console.print(f"[dim]Played since: {', '.join(moves)}[/]", highlight=False)


def _offer(match: "Match") -> None:
    """What is possible, if that is little enough to read."""
    legal = match.legal()
    if len(legal) <= FEW:
        console.print(Text(f"Possible: {', '.join(legal)}", style="dim"))


def _announce(match: "Match") -> None:
    winners = match.winners()
    names = " and ".join(f"seat {winner}" for winner in winners)
    verb = "wins" if len(winners) == 1 else "share the win"
    points = " to ".join(str(score) for score in match.scores())
    if match.seats > 1:
        console.print(f"[bold]The match is over: {names} {verb}, {points}.[/]")
    else:
        console.print(f"[bold]The match is over with {points} points.[/]")


def _turn(match: "Match", seat: int, people: int) -> bool:
    """Ask the person until a move is played; False if the person leaves."""
    while True:
        answer = console.input(f"[bold]Seat {seat}, your move:[/] ").strip()
        try:
            match answer.split():
                case ["quit" | "exit" | "q"]:
                    console.print("Until next time.")
                    return False
                case ["help"]:
                    console.print(HELP)
                case ["board"]:
                    _show(match, seat)
                case ["hint"]:
                    _hint(match)
                case ["undo"]:
                    _take_back(match, people)
                    return True
                case ["?", *start]:
                    beginning = " ".join(start)
                    moves = [move for move in match.legal() if move.startswith(beginning)]
                    console.print(some_of(moves, 60) or "Nothing possible begins so.", markup=False)
                case []:
                    pass
                case _:
                    match.play(answer)
                    return True
        except GameError as error:
            show_error(error)


def _hint(match: "Match") -> None:
    """What an expert would play, who knows no more than the person."""
    from kwartet.bots.player import Player

    with console.status("An expert is thinking …"):
        move = Player("expert", threads=2, seed=0).choose(match)
    console.print(f"An expert would play [bold]{move}[/].", highlight=False)


def _take_back(match: "Match", people: int) -> None:
    """Undo back to the last decision of a person."""
    match.undo()
    while (seat := match.actor) is None or seat >= people:
        match.undo()


def _show(match: "Match", seat: int | None) -> None:
    console.print(picture(match, seat))


def picture(match: "Match", seat: int | None) -> Panel:
    """The board as the seat sees it, with colours, in a frame."""
    scores = " · ".join(f"seat {other}: {score}" for other, score in enumerate(match.scores()))
    board = Text(match.game.views.text(match.view(seat)))
    for pattern, colour in getattr(match.game.views, "PALETTE", {}).items():
        board.highlight_regex(pattern, colour)
    return Panel(board, title=match.game.title, subtitle=scores, expand=False)
