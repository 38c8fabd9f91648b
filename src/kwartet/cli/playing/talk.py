"""What people at a server's table want of each other besides moves, and how it is told."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from kwartet.cli.playing.words import listed
from kwartet.core.errors import GameError

if TYPE_CHECKING:
    from kwartet.cli.playing.lines import Line
    from kwartet.server.messages import ChatLine, TableMessage

WORDS: Final = {  # what can be typed at a table, besides what can be everywhere
    "say WORDS": "tell the others something",
    "chat": "everything that was said",
    "draw": "offer a draw",
    "yes": "agree to what somebody asks",
    "no": "decline it, or take back what you asked yourself",
    "resign": "give the match up",
    "rematch": "after the end: ask the others to play again",
}
RECENT: Final = 5  # lines that one who comes is told without asking
ASKED: Final = {
    "takeback": "asks to take a move back.",
    "draw": "offers a draw.",
    "rematch": "asks for another match.",
}
DECLINED: Final = {
    "takeback": "does not let it be taken back.",
    "draw": "declines the draw.",
    "rematch": "does not want another match.",
}
WITHDRAWN: Final = "does not ask for it any more."


def said(lines: Sequence["ChatLine"]) -> list[str]:
    """Lines of chat as sentences."""
    return [f"{line.name} says: {line.text}" for line in lines]


class Talk:
    """Somebody's part in it, at one table."""

    def __init__(
        self, line: "Line", names: Callable[[], Sequence[str]], heard_until: float = 0.0
    ) -> None:
        """What was said before a time has been heard: it goes along from table to table."""
        self._line = line
        self._names = names
        self._heard_until = heard_until
        self._before: TableMessage | None = None  # the table when it was told of last
        self._heard = 0  # the number of the last line
        self._told_at = time.monotonic()
        self.agreed = False  # whether one wants to play again

    @property
    def version(self) -> int:
        """Of the table that was told of last."""
        return self._before.version if self._before else self._line.now.version

    @property
    def age(self) -> float:
        """Seconds since that was new."""
        return time.monotonic() - self._told_at

    def is_asked(self) -> bool:
        """Whether another waits for one's answer."""
        return _is_asked(self._line.now)

    def news(self) -> list[str]:
        """What was said, asked, answered and given up since this was called last."""
        now, before = self._line.now, self._before
        lines = self._unheard()
        if before is None or now.version != before.version:
            self._told_at = time.monotonic()
        self._before = now
        if before is None:
            left_out = f"{len(lines) - RECENT} more lines were said before: chat"
            earlier = [left_out] * (len(lines) > RECENT)
            return earlier + said(lines[-RECENT:]) + self._asked(now, None)
        return said(lines) + self._given_up(now, before) + self._asked(now, before)

    def _unheard(self) -> list["ChatLine"]:
        chat, heard = self._line.chat, self._heard
        self._heard = max((line.number for line in chat), default=heard)
        return [line for line in chat if line.number > heard and line.at > self._heard_until]

    def _given_up(self, now: "TableMessage", before: "TableMessage") -> list[str]:
        """Who has left their seat to a bot, or come back, while the match goes on."""
        told = []
        for seat, then, name in zip(now.seats, before.seats, self._names(), strict=True):
            if now.state != "running" or then.kind != "person":
                continue
            if seat.resigned and not then.resigned:
                told.append(f"{name} resigns; a bot plays on in that seat.")
            elif seat.stand_in and not then.stand_in:
                told.append(f"A bot plays for {name}.")
            elif then.stand_in and not seat.stand_in:
                told.append(f"{name} is back.")
        return told

    def _asked(self, now: "TableMessage", before: "TableMessage | None") -> list[str]:
        """What is wished of one, and what became of a wish; one's own are told as they are made."""
        told = []
        offer, then = now.offer, before.offer if before else None
        if offer and _is_asked(now) and not (then and _is_asked_by(before, offer.seat)):
            told.append(f"{self._names()[offer.seat]} {ASKED[offer.kind]} Type yes or no.")
        declined = now.declined
        if declined and declined.seat not in now.mine and declined != (before and before.declined):
            is_own = then is not None and then.seat == declined.seat
            what = WITHDRAWN if is_own else DECLINED[declined.kind]
            told.append(f"{self._names()[declined.seat]} {what}")
        return told

    # What one wants oneself ---------------------------------------------------------------

    def obey(self, word: str, rest: str, seat: int | None) -> str:
        """Do what one of `WORDS` says; GameError, as the server says, if it is not possible."""
        from kwartet.server import messages as m

        match word:
            case "say":
                if not rest.strip():
                    raise GameError("bad-request", "Say what? Type, for example: say hello")
                self._line.send(m.Chat(text=rest.strip()))
                return ""
            case "chat":
                return "\n".join(said(self._line.chat)) or "Nothing was said."
            case "resign":
                self._line.send(m.Resign(seat=seat))
                return ""
            case "draw":
                self._line.send(m.Offer(kind="draw"))
                return self._told_wish("You offer a draw.")
            case "rematch":
                self._line.send(m.Offer(kind="rematch"))
                self.agreed = True
                return self._told_wish("You want to play again.")
            case _:
                return self._reply(word == "yes")

    def take_back(self) -> str:
        """Take one's last move back, or ask whether one may."""
        from kwartet.server import messages as m

        before = len(self._line.log)
        self._line.send(m.Offer(kind="takeback"))
        if len(self._line.log) < before:
            return "Taken back."
        return self._told_wish("You ask to take a move back.")

    def _reply(self, accept: bool) -> str:
        from kwartet.server import messages as m

        offer = self._line.now.offer
        self._line.send(m.Reply(accept=accept))
        is_own = offer is not None and offer.seat in self._line.now.mine
        if offer and offer.kind == "rematch":
            self.agreed = accept
        if not accept:
            return "You take that back." if is_own else "You decline."
        return self._told_wish("You agree.")

    def _told_wish(self, sentence: str) -> str:
        """It, and who has yet to agree."""
        return f"{sentence} {self.awaited()}".rstrip()

    def awaited(self) -> str:
        """Who has yet to agree to what is offered, as a sentence; else nothing."""
        offer, names = self._line.now.offer, self._names()
        if offer is None:
            return ""
        missing = [
            names[number]
            for number, seat in enumerate(self._line.now.seats)
            if seat.kind == "person" and number not in {*offer.agreed, offer.seat}
        ]
        if not missing:
            return ""
        return f"{listed(missing)} {'has' if len(missing) == 1 else 'have'} yet to agree."


def _is_asked(now: "TableMessage") -> bool:
    offer = now.offer
    return bool(offer and "reply" in now.may and not set(now.mine) & {*offer.agreed, offer.seat})


def _is_asked_by(now: "TableMessage | None", seat: int) -> bool:
    return now is not None and now.offer is not None and now.offer.seat == seat and _is_asked(now)
