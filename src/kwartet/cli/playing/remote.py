"""A table of a server as a place to play: the server has the match, this terminal a seat."""

from typing import TYPE_CHECKING, Any

from kwartet.cli.playing import keys
from kwartet.cli.playing.lines import Line, connected
from kwartet.cli.playing.links import Link, read_link
from kwartet.cli.playing.places import Hint, Told
from kwartet.cli.playing.talk import WORDS, Talk
from kwartet.cli.playing.words import ending
from kwartet.cli.terminal import prepare
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.games import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kwartet.cli.playing.show import Screen
    from kwartet.core.match import Match
    from kwartet.server.messages import MatchView


def attend(text: str, token: str | None, name: str | None, *, plain: bool) -> None:
    """Sit down at a server's table and play there, and wherever that is gone on with."""
    link = read_link(text)
    with connected(link, token) as line:
        place = Remote(line, link)
        _play(place, name, plain=plain)
        while table := place.next_table:
            said = line.chat
            line.go(table)
            heard_until = said[-1].at if said else 0.0
            place = Remote(line, Link(link.server, table), heard_until)
            _play(place, name, plain=plain)


def _play(place: "Remote", name: str | None, *, plain: bool) -> None:
    from kwartet.cli.play import seated
    from kwartet.cli.playing.session import Session
    from kwartet.cli.playing.show import Screen

    place.screen = screen = Screen(place.game, place.names, plain=plain)
    prepare([place.game])

    def play() -> None:
        place.sit(name)
        Session(place, screen, place.people).run()

    seated(place, play)


class Remote:
    """A `Place` at a server."""

    screen: "Screen"

    def __init__(self, line: Line, link: Link, heard_until: float = 0.0) -> None:
        self.game = find(line.now.game)
        self._line = line
        self._link = link
        self._talk = Talk(line, lambda: self.names, heard_until)

    @property
    def names(self) -> list[str]:
        """Who plays, by seat."""
        return [_name(seat, number) for number, seat in enumerate(self._line.now.seats, 1)]

    @property
    def people(self) -> int:
        """How many sit at this terminal."""
        return len(self._line.now.mine)

    @property
    def hides(self) -> bool:
        """Whether seats see different things."""
        return self._match.hidden

    @property
    def _match(self) -> "MatchView":
        match = self._line.now.match
        if match is None:
            raise GameError("not-started", "The match has not begun.")
        return match

    def sit(self, name: str | None) -> None:
        """Take a seat if there is one and one has none; GameError if there is not."""
        from kwartet.server import messages as m

        now = self._line.now
        if "return" in now.may:
            self._line.send(m.Return())
        elif not now.mine and now.state != "over":
            self._line.send(m.Sit(invite=self._link.invite, name=name))

    def awaits(self) -> str:
        """For whom or what the match has yet to wait before it begins."""
        now = self._line.now
        if now.state == "preparing":
            return "The server prepares the game."
        if now.state != "open":
            return ""
        free = sum(seat.kind in ("open", "invite") for seat in now.seats)
        invite = f"?invite={now.invite}" if now.invite else ""
        return f"Waiting for {free} more to sit down at {self._link}{invite}"

    def actor(self) -> int | None:
        """The seat to act; None when the match is over."""
        if self._line.now.state == "over":
            return None
        actor: int | None = self._match.view["actor"]
        return actor

    def is_here(self, seat: int) -> bool:
        """Whether it is one's own, and no bot plays it."""
        now = self._line.now
        return seat in now.mine and "play" in now.may

    def view(self, seat: int | None) -> dict[str, Any]:
        """What one sees."""
        view: dict[str, Any] = self._match.view
        return view

    def legal(self) -> list[str]:
        """What one may play now."""
        match = self._line.now.match
        return match.legal if match else []

    def log(self, seat: int | None) -> list[Told]:
        """Everything played so far as one may know it."""
        return [
            Told(mover, move)
            for mover, move in zip(self._line.movers, self._line.log, strict=False)
        ]

    def read(self, move: str) -> None:
        """GameError if it is not among the legal moves, with why if that can be told here."""
        if move in self.legal():
            return
        try:
            trial = self.trial(self.actor() or 0)
        except GameError:
            sentence = f"{quoted(move)} is not possible. Possible: {some_of(self.legal())}."
            raise GameError("illegal-move", sentence) from None
        trial.read(move)

    def play(self, move: str) -> None:
        """Play it there."""
        self._line.play(move)

    def undo(self) -> str:
        """Take one's last move back, or ask the others whether one may."""
        return self._talk.take_back()

    def hints(self) -> list[Hint]:
        """What the server's expert would play."""
        from kwartet.reviews.reasons import Reason
        from kwartet.server import messages as m

        with self.screen.busy("An expert is thinking …"):
            told = self._line.send(m.Hint()).hints
        return [
            Hint(hint.move, hint.reason or Reason(0.0))  # type: ignore[arg-type]
            for hint in told
        ]

    def trial(self, seat: int) -> "Match":
        """The match again from its log, where nothing in it is hidden."""
        from kwartet.core.match import Match

        log = self._line.log
        if any("?" in move for move in log):
            raise GameError(
                "no-preview", "What others hold is not known here, so moves cannot be tried."
            )
        now = self._line.now
        match = Match(self.game, now.options, auto_chance=False, version=now.rules)
        match.follow(log)
        return match

    def left(self) -> float | None:
        """What the server said, less what has gone by since it was told of."""
        now, match = self._line.now, self._line.now.match
        actor = self.actor()
        if match is None or match.turn_since is None or actor is None or actor < 0:
            return None
        left = now.seats[actor].left
        until = match.deadline if left is None else match.turn_since + left
        return None if until is None else max(0.0, until - now.now - self._talk.age)

    def wait(self) -> bool:
        """Bots of a server think there."""
        return False

    def ask(self, prompt: str) -> str | None:
        """What somebody types; None if they have not been told of the table as it is by then."""
        if self.awaits() and not keys.are_there():  # what a pipe says is for the match
            self._line.changed(self._talk.version)
            return None
        with keys.prompted(prompt) as pressed:
            changed = self._line.changed(self._talk.version, unless=pressed)
        if changed:
            keys.unprompted(prompt)
            return None
        return keys.line(prompt)

    def question(self) -> bool:
        """Whether others wait for a yes or no."""
        return self._talk.is_asked()

    def news(self) -> list[str]:
        """What was said, asked and answered since this was called last."""
        return self._talk.news()

    def words(self) -> "Mapping[str, str]":
        """What can be typed at a table."""
        return WORDS

    def obey(self, word: str, rest: str, seat: int | None) -> str:
        """Do what such a word says; GameError, as the server says, if it is not possible."""
        return self._talk.obey(word, rest, seat)

    def lingers(self) -> bool:
        """Whether those who sat here could still agree to play again, and are not off to it."""
        now = self._line.now
        return bool(now.mine) and now.state == "over" and self.next_table is None

    @property
    def next_table(self) -> str | None:
        """Where one plays again, if one wants to and the others do."""
        return self._line.now.rematch if self._talk.agreed else None

    def save(self, path: str | None) -> str:
        """The server keeps the match."""
        return self.leave()

    def leave(self) -> str:
        """How to come back."""
        if self.next_table:
            return "On to the next match."
        if self._line.now.state == "over":
            return f"Step through it with: kwartet replay {self._link}"
        return f"The table stays on the server. Come back with: kwartet play {self._link}"

    def ended(self) -> str:
        """How the match ended."""
        told = self._line.now.result
        if told is None:
            return "The match is over."
        seats = zip(self.names, self._line.now.seats, strict=True)
        gone = [name for name, seat in seats if seat.resigned]
        return ending(self.names, told.reason, told.scores, told.winners, gone)


def _name(seat: Any, number: int) -> str:
    if seat.name:
        return str(seat.name)
    return f"{str(seat.level).capitalize()} bot" if seat.kind == "bot" else f"Player {number}"
