"""What everybody may know of players: profiles, finished matches, who is strongest."""

from typing import Final

import msgspec

from kwartet.core.errors import GameError
from kwartet.games import find
from kwartet.server import messages as m
from kwartet.server.api import people
from kwartet.server.api.calls import BEFORE, PAGE, Call, Operation
from kwartet.server.identity import ERASED_NAME
from kwartet.server.ratings import shown
from kwartet.server.rewriting import PSEUDONYM
from kwartet.store import HistoryRow


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


OPERATIONS: Final = (
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
)
