"""The HTTP API: each operation with what it takes and gives, in one list.

Routes, checks and the OpenAPI description all come from `OPERATIONS`.
"""

import asyncio
from functools import partial
from typing import Any, Final

import msgspec

import kwartet
from kwartet.core.errors import GameError, quoted
from kwartet.games import find
from kwartet.server import accounts as own
from kwartet.server import afterwards as a
from kwartet.server import importing, people
from kwartet.server import messages as m
from kwartet.server.archive import record_name, summaries
from kwartet.server.calls import Call, Operation
from kwartet.server.drawn import Picture
from kwartet.server.gallery import FORMS, WISHES, picture_of
from kwartet.server.house import House, address_of
from kwartet.server.identity import ERASED_NAME
from kwartet.server.listing import check_listed, is_listed
from kwartet.server.obeying import obey
from kwartet.server.painting import KINDS, Content
from kwartet.server.ratings import shown
from kwartet.server.replay import position as position_at
from kwartet.server.replay import replayed
from kwartet.server.reviewing.live import review_now
from kwartet.server.rewriting import PSEUDONYM
from kwartet.server.showing import Known
from kwartet.store import HistoryRow

PAGE: Final = 50


# Games ----------------------------------------------------------------------------------


async def games(call: Call) -> list[m.GameInfo]:
    """What can be played here."""
    levels = await asyncio.to_thread(_levels)  # loads the compiled bots when it is the first
    return [_info(call.house, key, levels[key]) for key in kwartet.GAMES]


def _levels() -> dict[str, list[m.BotLevel]]:
    from kwartet.bots import catalogue

    return {
        key: [
            m.BotLevel(level, sentence, catalogue.recalls(level, find(key)))
            for level, sentence in catalogue.describe(find(key)).items()
        ]
        for key in kwartet.GAMES
    }


def _info(house: House, key: str, levels: list[m.BotLevel]) -> m.GameInfo:
    described = kwartet.describe(key)
    return m.GameInfo(
        key=key,
        title=described["title"],
        credit=described["credit"],
        summary=described["summary"],
        rules=described["rules"],
        seats=described["seats"],
        draws=described["draws"],
        options=msgspec.convert(described["options"], list[m.GameOption]),
        levels=levels,
        preparing=house.hall.readiness.progress(key),
    )


# Notifications -------------------------------------------------------------------------


async def push_key(call: Call) -> own.PushKey:
    """What a browser subscribes with."""
    return own.PushKey(call.house.push.key)


async def subscribe(call: Call) -> None:
    """Have a browser told of one's turns."""
    await call.house.identities.introduce(call.me)
    device = call.visitor.device if call.visitor else ""
    await call.house.push.subscribe(call.me.id, call.body, device)


async def unsubscribe(call: Call) -> None:
    """Have it told no more."""
    await call.house.push.unsubscribe(call.me.id, call.body.endpoint)


# Players --------------------------------------------------------------------------------


async def profile(call: Call) -> m.Profile:
    """What everybody may know of a player."""
    key = call.path("player")
    known = await call.house.store.player(key)
    if known is None and not key.startswith("bot:"):
        raise GameError("unknown-player", "There is no such player.")
    return m.Profile(
        id=key,
        name=known.name if known else key.removeprefix("bot:"),
        bot=known is None,
        since=known.created if known else None,
        ratings=await people.ratings(call.house, key),
        counts=msgspec.convert(await call.house.store.counts(key), dict[str, m.Counts]),
    )


async def history(call: Call) -> m.History:
    """A player's finished matches."""
    rows = await call.house.store.history(
        call.path("player"), call.query("game"), call.number("before"), PAGE
    )
    keys = {result.player for row in rows for result in row.results}
    names = {p.id: p.name for p in (await call.house.store.players(sorted(keys))).values()}
    asker = call.person.id if call.person else None
    past = [_past(row, names, asker) for row in rows]
    return m.History(past, rows[-1].at if len(rows) == PAGE else None)


def _past(row: HistoryRow, names: dict[str, str], asker: str | None) -> m.Past:
    """The row for this asker; only who played there is told where an unlisted table is."""
    seats = [
        m.SeatView(
            "bot" if result.player.startswith("bot:") else "person",
            name=names.get(result.player) or _nameless(result.player),
            player=result.player,
            level=result.player.removeprefix("bot:") if result.player.startswith("bot:") else None,
        )
        for result in row.results
    ]
    scores = [result.score for result in row.results]
    played = any(result.player == asker for result in row.results)
    table = row.table if row.listed or played else None
    return m.Past(
        table=table,
        game=row.game,
        at=row.at,
        seat=row.seat,
        score=row.score,
        place=row.rank,
        outcome=msgspec.convert(row.outcome, m.Outcome),
        seats=seats,
        scores=scores,
    )


def _nameless(player: str) -> str | None:
    """What somebody is called who was forgotten."""
    return ERASED_NAME if player.startswith(PSEUDONYM) else None


async def bests(call: Call) -> list[m.Best]:
    """A player's best scores alone at a table."""
    game = find(call.path("game")).key
    player = call.path("player")
    own = call.person is not None and call.person.id == player
    found = await call.house.store.bests(player, game)
    return [m.Best(best.table if own else None, best.at, best.score) for best in found]


async def leaders(call: Call) -> list[m.Leader]:
    """The strongest players of a game, bots among them."""
    ratings = await call.house.store.leaders(find(call.path("game")).key, PAGE)
    known = await call.house.store.players([rating.player for rating in ratings])
    return [
        m.Leader(
            r.player,
            known[r.player].name if r.player in known else r.player.removeprefix("bot:"),
            r.player.startswith("bot:"),
            shown(r.mu, r.sigma, r.matches),
        )
        for r in ratings
    ]


# Tables ---------------------------------------------------------------------------------


async def lobby(call: Call) -> m.Lobby:
    """Open tables, running ones to watch, and one's own."""
    house, person = call.house, call.person
    listed = await house.hall.lobby.listed()
    return m.Lobby(listed.open, listed.running, await house.hall.lobby.own(person))


async def tables(call: Call) -> m.TableList:
    """Listed tables, or one's own, the latest change first."""
    state = call.query("state")
    if state not in (None, "open", "running", "over"):
        raise GameError("bad-request", f"state is open, running or over, not {quoted(state)}.")
    own = call.query("mine") is not None
    game = call.query("game")
    rows = await call.house.store.tables(
        state,  # type: ignore[arg-type]
        None if own else True,
        find(game).key if game else None,
        call.me.id if own else None,
        call.number("before"),
        limit=PAGE,
    )
    return m.TableList(
        summaries(rows, call.house.hall.clock), rows[-1].changed if len(rows) == PAGE else None
    )


async def create(call: Call) -> bytes:
    """Open a table."""
    call.house.new_tables.take(call.me.id)
    if is_listed(call.body):
        call.house.listed.take(call.me.id)
        call.house.listed_there.take(address_of(call.request))
        await check_listed(call.house.store, call.me.id)
    await call.house.identities.introduce(call.me)
    await call.house.identities.check_names(call.body.seats)
    table = await call.house.hall.opening.create(call.me, call.body)
    return table.message(call.me)


async def table(call: Call) -> bytes:
    """The table as one may see it now."""
    found = await call.house.hall.table(call.path("table"))
    return found.message(call.person, Known(invited=found.story.invites(call.query("invite"))))


async def drop(call: Call) -> None:
    """Put a match away that no other people play."""
    found = await call.house.hall.table(call.path("table"))
    await found.drop(call.me)


async def command(call: Call) -> m.Accepted:
    """Do something at a table."""
    key, hall = call.path("table"), call.house.hall
    with hall.arriving(key, call.body, call.arrived):
        return await obey(call.house, await hall.table(key), call.me, call.body, call.arrived)


async def preview(call: Call) -> Any:
    """What one could do with a piece; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    return await found.preview(call.me, call.query("piece") or "", call.whole("ply"))


async def why(call: Call) -> dict[str, Any] | None:
    """Why a move may not be played; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    move = call.query("move") or ""
    if len(move) > m.MOVE_LENGTH:
        raise GameError("bad-request", f"A move has at most {m.MOVE_LENGTH} characters.")
    return await found.why(call.me, move, call.whole("ply"))


async def replay(call: Call) -> a.Replay:
    """A finished match, some of its positions at a time."""
    call.house.replays.take(call.asker)
    found = await call.house.hall.table(call.path("table"))
    match = found.finished()
    own = found.story.seats_of(call.person.id) if call.person else []
    seat = call.whole("seat") if call.query("seat") else own[0] if len(own) == 1 else None
    until = call.whole("until") if call.query("until") else None
    work = partial(replayed, match, found.story.actors, seat, call.whole("since"), until)
    return await call.house.look_back(work)


async def position(call: Call) -> a.Position:
    """Where somebody had to decide in a finished match."""
    call.house.replays.take(call.asker)
    found = await call.house.hall.table(call.path("table"))
    return await call.house.look_back(partial(position_at, found.finished(), call.whole("ply")))


async def review(call: Call) -> bytes:
    """The review of a finished match as far as it is; nothing is begun."""
    call.house.looks.take(call.asker)
    return await review_now(call.house, await call.house.hall.table(call.path("table")))


async def try_move(call: Call) -> a.Tried:
    """Judge another move at a decision of a finished match; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    return await call.house.reviews.try_move(call.me, found, call.body)


async def coach(call: Call) -> m.CoachView:
    """One's decisions alone, beside the best ones; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    return await found.coach(call.me, call.whole("since"))


async def picture(call: Call) -> Picture:
    """The match as shapes; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    person = None if call.query("open") else call.person
    return await found.picture(person, call.whole("ply"), call.query("language") or "en")


async def drawn(call: Call) -> Content:
    """The match as a picture or a film; nothing changes."""
    found = await call.house.hall.table(call.path("table"))
    form = FORMS[call.request.url.path.rpartition("/")[2]]
    return await picture_of(call.house, found, form, call.wishes, call.asker)


async def record(call: Call) -> dict[str, Any]:
    """The record of a finished match, with its seed."""
    found = await call.house.hall.table(call.path("table"))
    record = found.record()
    call.request.state.file = record_name(found.story, "json")
    return record


async def sheet(call: Call) -> str:
    """The same as a text for people."""
    found = await call.house.hall.table(call.path("table"))
    text = found.sheet(call.query("language") or "en")
    call.request.state.file = record_name(found.story, "txt")
    return text


# Matches that come in or go on ----------------------------------------------------------


async def branch(call: Call) -> bytes:
    """Play on from a position of a finished match, at a new table."""
    call.house.new_tables.take(call.me.id)
    found = await call.house.hall.table(call.path("table"))
    await call.house.identities.introduce(call.me)
    await call.house.identities.check_names(call.body.seats)
    table = await call.house.hall.opening.branch(call.me, found.story, call.body)
    return table.message(call.me)


async def check_record(call: Call) -> a.Checked:
    """How far a match from elsewhere is good; nothing is kept."""
    call.house.checks.take(call.me.id)
    return importing.checked(await _draft(call))


async def import_record(call: Call) -> bytes:
    """Bring in a match from elsewhere that is over."""
    call.house.new_tables.take(call.me.id)
    draft = await _draft(call)
    created, events = await asyncio.to_thread(importing.plan_import, call.me, draft)
    await call.house.identities.introduce(call.me)
    table = await call.house.hall.opening.bring_in(created, events)
    return table.message(call.me)


async def _draft(call: Call) -> importing.Draft:
    record = importing.recognised(call.body)
    call.house.hall.need(record["game"])
    draft = await asyncio.to_thread(importing.followed, record, call.body.players)
    people = call.house.store.people
    return draft.without({name for name in draft.players if await people.is_hidden(name)})


# The server -----------------------------------------------------------------------------


async def health(call: Call) -> m.Health:
    """The process is alive."""
    return m.Health("ok", version())


async def ready(call: Call) -> m.Health:
    """The database answers and can be written to, too."""
    await call.house.store.ping()
    await call.house.store.check_writes()
    return m.Health("ok", version())


def version() -> str:
    """The program's version."""
    from importlib.metadata import version

    return version("kwartet")


PICTURES: Final = (
    "A position as onlookers see it, or a finished match's as a seat saw it, as SVG.",
    "The same as PNG.",
    "A position with who plays, as links show it: 1200 × 630.",
    "A finished match as a film, a frame for each decision.",
)
COMMAND_PATHS: Final = {
    m.Play: ("moves", "Play a move."),
    m.Sit: ("sit", "Take a seat."),
    m.Shuffle: ("shuffle", "Add one's part to the luck, before the match has started."),
    m.Leave: ("leave", "Get up before the match has started."),
    m.Start: ("start", "Start at once; bots take the open seats."),
    m.Offer: ("offer", "Ask to take a move back, for a draw, or to play again."),
    m.Reply: ("reply", "Answer an offer."),
    m.Resign: ("resign", "Give the match up."),
    m.HandOver: ("handover", "Let a bot play for somebody who is away."),
    m.Return: ("return", "Take one's seat back from a bot."),
    m.Chat: ("chat", "Say something."),
    m.Mute: ("mute", "Let somebody speak no more, or again."),
    m.Hint: ("hint", "Up to three moves that an expert would play."),
    m.Solve: ("solve", "Solve the game, so that decisions can be judged."),
}

BEFORE: Final = ("before", "The `next` of the page before.")
OPERATIONS: Final = (
    Operation("GET", "/api/games", games, list[m.GameInfo], "The games.", person=False),
    *people.OPERATIONS,
    Operation(
        "GET",
        "/api/me/push",
        push_key,
        own.PushKey,
        "What a browser subscribes with to be told of turns.",
        person=False,
    ),
    Operation("POST", "/api/me/push", subscribe, None, "Have it told.", own.Subscribe, status=204),
    Operation(
        "DELETE",
        "/api/me/push",
        unsubscribe,
        None,
        "Have it told no more.",
        own.Unsubscribe,
        status=204,
    ),
    Operation("GET", "/api/players/{player}", profile, m.Profile, "A profile.", person=False),
    Operation(
        "GET",
        "/api/players/{player}/history",
        history,
        m.History,
        "Finished matches.",
        person=False,
        query=(("game", "Of this game only."), BEFORE),
    ),
    Operation(
        "GET",
        "/api/players/{player}/bests/{game}",
        bests,
        list[m.Best],
        "Best scores alone.",
        person=False,
    ),
    Operation(
        "GET", "/api/ratings/{game}", leaders, list[m.Leader], "The strongest.", person=False
    ),
    Operation("GET", "/api/lobby", lobby, m.Lobby, "What the home page shows."),
    Operation(
        "GET",
        "/api/tables",
        tables,
        m.TableList,
        "Tables.",
        query=(
            ("state", "open, running or over."),
            ("game", "Of this game only."),
            ("mine", "One's own instead of listed ones."),
            BEFORE,
        ),
    ),
    Operation(
        "POST", "/api/tables", create, m.TableMessage, "Open one.", m.CreateTable, status=201
    ),
    Operation(
        "GET",
        "/api/tables/{table}",
        table,
        m.TableMessage,
        "A table, as one may see it.",
        query=(("invite", "An invitation that one has."),),
    ),
    Operation(
        "DELETE",
        "/api/tables/{table}",
        drop,
        None,
        "Put a match away that no other people play; it counts nowhere.",
        status=204,
    ),
    Operation(
        "GET",
        "/api/tables/{table}/preview",
        preview,
        Any,
        "What one, being to act, could do with a piece, as the game tells it.",
        query=(("piece", "As in the game's notation."), ("ply", "Which position is meant.")),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/why",
        why,
        dict[str, Any] | None,
        "Why one, being to act, may not play a move, in the game's own parts; null if one may.",
        query=(("move", "As in the game's notation."), ("ply", "Which position is meant.")),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/replay",
        replay,
        a.Replay,
        "A finished match, position by position, at most 64 at a time.",
        person=False,
        query=(
            ("seat", "With whose eyes; one's own, or an onlooker's, if it is left out."),
            ("since", "From the position after so many moves on."),
            ("until", "To the one after so many."),
        ),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/position",
        position,
        a.Position,
        "Where a seat had to decide in a finished match: what it saw, what it could have done.",
        person=False,
        query=(("ply", "Of the decision."),),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/review",
        review,
        a.ReviewMessage,
        "The review of a finished match as far as it is; its socket has it made.",
        person=False,
    ),
    Operation(
        "POST",
        "/api/tables/{table}/try",
        try_move,
        a.Tried,
        "What another move would have lost at a decision of a finished match.",
        a.Try,
    ),
    Operation(
        "GET",
        "/api/tables/{table}/coach",
        coach,
        m.CoachView,
        "One's decisions alone at a table, judged by the game's exact solution.",
        query=(("since", "From this ply on."),),
    ),
    Operation(
        "GET",
        "/api/tables/{table}/picture",
        picture,
        Picture,
        "The match as shapes to draw and to click on, as one may see it.",
        query=(
            ("ply", "After so many moves."),
            ("language", "Of the names, as `de`."),
            ("open", "1: without what only one's own seat sees."),
        ),
    ),
    *(
        Operation(
            "GET",
            f"/api/tables/{{table}}/{file}",
            drawn,
            None,
            summary,
            person=False,
            query=WISHES[form],
            media=KINDS[form],
        )
        for (file, form), summary in zip(FORMS.items(), PICTURES, strict=True)
    ),
    Operation(
        "GET",
        "/api/tables/{table}/record",
        record,
        dict[str, Any],
        "The record of a finished match, with its seed.",
        person=False,
    ),
    Operation(
        "GET",
        "/api/tables/{table}/sheet",
        sheet,
        str,
        "The same as a text for people, which is read back exactly.",
        person=False,
        query=(("language", "en, nl, de or fr."),),
        media="text/plain",
    ),
    Operation(
        "POST",
        "/api/tables/{table}/branch",
        branch,
        m.TableMessage,
        "Play on from a position of a finished match, at a new table.",
        a.Branch,
        status=201,
    ),
    Operation(
        "POST",
        "/api/records/check",
        check_record,
        a.Checked,
        "How far a match from elsewhere is good; nothing is kept.",
        a.ImportRecord,
        size=a.IMPORT_BYTES,
    ),
    Operation(
        "POST",
        "/api/records",
        import_record,
        m.TableMessage,
        "Bring in a match from elsewhere that is over.",
        a.ImportRecord,
        status=201,
        size=a.IMPORT_BYTES,
    ),
    *(
        Operation("POST", f"/api/tables/{{table}}/{path}", command, m.Accepted, summary, takes)
        for takes, (path, summary) in COMMAND_PATHS.items()
    ),
    Operation("GET", "/healthz", health, m.Health, "The process is alive.", person=False),
    Operation(
        "GET",
        "/readyz",
        ready,
        m.Health,
        "The database answers and can be written to, too.",
        person=False,
    ),
)
