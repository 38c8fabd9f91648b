"""`kwartet play`: a match in the terminal, against bots, with friends, or at a server's table."""

from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kwartet.cli import completing
from kwartet.cli.playing import keys
from kwartet.cli.pools import INTERRUPTED
from kwartet.cli.terminal import (
    GameOptions,
    check_names,
    console,
    find_game,
    keep_still,
    prepare,
    prepare_bots,
    show_error,
)
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.games import GAMES, find

if TYPE_CHECKING:
    from kwartet.cli.playing.places import Place
    from kwartet.core.match import Match

Plain = Annotated[bool, typer.Option("--plain", help="In sentences, without drawings and colours.")]
Token = Annotated[
    str | None,
    typer.Option(
        envvar="KWARTET_TOKEN", help="Who you are at the server, made at /account; else a guest."
    ),
]


def run(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME|LINK|FILE",
            help="A game, see `kwartet games`; the link of a server's table; or a saved match. "
            "Asked for if left out.",
            autocompletion=completing.playable,
        ),
    ] = None,
    people: Annotated[
        int, typer.Option(min=0, help="People here, in the first seats; bots play the others.")
    ] = 1,
    name: Annotated[
        list[str] | None, typer.Option(help="What you are called. Repeatable, one a person.")
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            help="Who plays the other seats: novice, casual, skilled, expert, master, or "
            "module:Class for a bot of your own. Repeatable, one a seat; the last one goes on.",
            autocompletion=completing.bots,
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes the luck of the match.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last match.")] = False,
    plain: Plain = False,
    token: Token = None,
    option: GameOptions = None,
) -> None:
    """Play a match in the terminal.

    Moves are typed in notation, by number or abbreviated; `?` teaches what there is. The match is
    saved after every move: --resume goes on after whatever ended it.
    """
    if plain:
        keep_still()
    if what and "://" in what:
        from kwartet.cli.playing.remote import attend

        attend(what, token, name[0] if name else None, plain=plain)
        return
    if resume or (what and what not in GAMES and Path(what).is_file()):
        _resume(None if resume else Path(str(what)), plain)
        return
    try:
        game, options = find_game(what or _ask_for_game(), option)
        count = game.seats(options)
        free = max(0, count - people)
        chosen = bot or [_ask_for_level(game) if what is None and free else "skilled"]
        others = [chosen[min(index, len(chosen) - 1)] for index in range(free)]
    except (EOFError, KeyboardInterrupt):
        console.print("\nUntil next time.")
        return
    players = _people(min(people, count), name) + [f"bot:{each}" for each in others]
    match = _prepared(game, options, others, seed)
    _play(match, players, None, plain, seed)


def _prepared(game: Game, options: dict[str, Any], bots: list[str], seed: int | None) -> "Match":
    from kwartet.core.match import Match

    check_names(game, bots)
    prepare([game], bots=True)
    prepare_bots(game, options, bots)
    return Match(game, options, seed=seed)


def _resume(path: Path | None, plain: bool) -> None:
    """Go on with a match that was saved, or with any record that says who plays."""
    import kwartet
    from kwartet.cli.matches import read_match
    from kwartet.cli.playing import saves

    file = path or saves.last()
    record = read_match(file, 1)
    key = record.get("game") if isinstance(record, dict) else None
    if isinstance(key, str):
        prepare([find(key)], bots=True)
    match = kwartet.replay(record)
    if match.actor is not None and match.actor < 0:
        match.resume_chance()
    told = record.get("players")
    players = [str(each) for each in told] if isinstance(told, list) else []
    players += [f"Player {seat + 1}" for seat in range(len(players), match.seats)]
    bots = [each[len(saves.BOT) :] for each in players if each.startswith(saves.BOT)]
    check_names(match.game, bots)
    prepare_bots(match.game, match.options, bots)
    _play(match, players[: match.seats], file, plain, None)


def _play(
    match: "Match", players: list[str], file: Path | None, plain: bool, seed: int | None
) -> None:
    """People and bots, as these players say, until it is over or somebody leaves."""
    from kwartet.bots.catalogue import create
    from kwartet.cli.playing.local import Local
    from kwartet.cli.playing.saves import BOT, Save
    from kwartet.cli.playing.session import Session
    from kwartet.cli.playing.show import Screen

    names = _told_apart(players)
    screen = Screen(match.game, names, plain=plain)
    bots = {
        seat: create(player[len(BOT) :], match.game, options=match.options, threads=2)
        for seat, player in enumerate(players)
        if player.startswith(BOT)
    }
    save = Save(file, players) if file else Save.new(match.game.key, players)
    place = Local(match, names, bots, save, screen.busy, seed)
    seated(place, lambda: Session(place, screen, match.seats - len(bots)).run())


def seated(place: "Place", play: Any) -> None:
    """Play; whoever is interrupted or has nothing more to type is told what becomes of it."""
    try:
        play()
    except (EOFError, KeyboardInterrupt) as end:
        console.print()
        console.print(place.leave(), markup=False, highlight=False)
        if isinstance(end, KeyboardInterrupt):
            raise typer.Exit(INTERRUPTED) from None


def _people(count: int, names: list[str] | None) -> list[str]:
    """What the people here are called."""
    told = list(names or ())
    if len(told) > count:
        raise GameError("bad-name", f"There are {len(told)} names for {count} people here.")
    for name in told:
        if not name.strip() or not name.isprintable() or len(name) > 24 or name.startswith("bot:"):
            raise GameError("bad-name", f"A name has 1 to 24 letters, not {quoted(name)}.")
    if count == 1 and not told:
        return [_login()]
    return told + [f"Player {number + 1}" for number in range(len(told), count)]


def _login() -> str:
    try:
        return getuser().capitalize()[:24]
    except (ImportError, KeyError, OSError):  # the system does not know
        return "Player"


def _told_apart(players: list[str]) -> list[str]:
    """Their names, numbered where two are the same."""
    from kwartet.core.scene import player_name

    plain = [player_name(player) for player in players]
    return [
        f"{name} {plain[: seat + 1].count(name)}" if plain.count(name) > 1 else name
        for seat, name in enumerate(plain)
    ]


def _ask_for_game() -> str:
    games = list(GAMES.values())
    for number, game in enumerate(games, 1):
        console.print(f"[bold]{number}[/]  {game.title} [dim]– {game.summary}[/]")
    while True:
        answer = keys.line("Which game? ")
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
        answer = keys.line("Against whom? ")
        for number, level in enumerate(levels, 1):
            if answer in (str(number), level):
                return level
        console.print(f"Type a number from 1 to {len(levels)}, or a name.")
