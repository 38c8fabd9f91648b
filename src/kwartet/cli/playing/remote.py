"""A table of a server as a place to play: the server has the match, this terminal a seat."""

from typing import TYPE_CHECKING, Any, Final

from kwartet.cli.playing import keys
from kwartet.cli.playing.lines import Line, connected
from kwartet.cli.playing.links import Link, read_link
from kwartet.cli.playing.places import Hint, Told
from kwartet.cli.playing.words import result
from kwartet.cli.terminal import prepare
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.games import find

if TYPE_CHECKING:
    from kwartet.cli.playing.show import Screen
    from kwartet.core.match import Match
    from kwartet.server.messages import MatchView, TableMessage

EARLIER: Final = -1  # in the log: somebody, before this terminal looked
ENDINGS: Final = {
    "resigned": "Somebody resigned.",
    "time": "Time ran out.",
    "agreed": "They agreed on a draw.",
    "dropped": "The match was put away.",
}


def attend(text: str, token: str | None, name: str | None, *, plain: bool) -> None:
    """Sit down at a server's table and play there."""
    from kwartet.cli.play import seated
    from kwartet.cli.playing.session import Session
    from kwartet.cli.playing.show import Screen

    link = read_link(text)
    with connected(link, token) as line:
        place = Remote(line, link)
        screen = Screen(place.game, place.names, plain=plain)
        place.screen = screen
        prepare([place.game])

        def play() -> None:
            place.sit(name)
            place.begin()
            screen.names = place.names
            Session(place, screen, len(line.now.mine)).run()

        seated(place, play)


class Remote:
    """A `Place` at a server."""

    screen: "Screen"

    def __init__(self, line: Line, link: Link) -> None:
        self.game = find(line.now.game)
        self._line = line
        self._link = link
        self._seats: list[int | None] = []  # who made each move of the log
        self._note_movers()

    @property
    def names(self) -> list[str]:
        """Who plays, by seat."""
        return [_name(seat, number) for number, seat in enumerate(self._line.now.seats, 1)]

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

    def begin(self) -> None:
        """Wait until the match runs."""
        told = ""
        while (now := self._line.now).state in ("open", "preparing"):
            waits = "The server prepares the game." if now.state == "preparing" else self._waits()
            if waits != told:
                told = waits
                self.screen.say(told, unbroken=True)
            with self.screen.busy("Waiting …"):
                self._line.changed(now.version)
        self._note_movers()

    def _waits(self) -> str:
        free = sum(seat.kind in ("open", "invite") for seat in self._line.now.seats)
        invite = f"?invite={self._line.now.invite}" if self._line.now.invite else ""
        return f"Waiting for {free} more to sit down at {self._link}{invite}"

    def actor(self) -> int | None:
        """The seat to act; None when the match is over."""
        if self._line.now.state == "over":
            return None
        actor: int | None = self._match.view["actor"]
        return actor

    def is_here(self, seat: int) -> bool:
        """Whether it is one's own, and nobody waits for an answer first."""
        now = self._line.now
        return seat in now.mine and "play" in now.may and not self._is_asked(now)

    def _is_asked(self, now: "TableMessage") -> bool:
        return bool(
            now.offer
            and "reply" in now.may
            and not set(now.mine) & {*now.offer.agreed, now.offer.seat}
        )

    def view(self, seat: int | None) -> dict[str, Any]:
        """What one sees."""
        view: dict[str, Any] = self._match.view
        return view

    def legal(self) -> list[str]:
        """What one may play now."""
        return self._match.legal

    def log(self, seat: int | None) -> list[Told]:
        """Everything played so far as one may know it."""
        self._note_movers()
        return [Told(mover, move) for mover, move in zip(self._seats, self._line.log, strict=False)]

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
        from kwartet.server import messages as m

        before = len(self._line.log)
        self._line.send(m.Offer(kind="takeback"))
        if len(self._line.log) < before:
            return "Taken back."
        return "The others are asked whether you may take it back."

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

    def wait(self) -> bool:
        """Wait for somebody else, and answer what they ask."""
        now = self._line.now
        if self._is_asked(now):
            self._reply(now)
            return True
        actor = self.actor()
        who = self.names[actor] if actor is not None and actor >= 0 else "the server"
        with self.screen.busy(f"Waiting for {who} …"):
            self._line.changed(now.version)
        return True

    def _reply(self, now: "TableMessage") -> None:
        from kwartet.server import messages as m

        assert now.offer
        wishes = {"takeback": "to take a move back", "draw": "a draw", "rematch": "to play again"}
        question = f"{self.names[now.offer.seat]} asks for {wishes[now.offer.kind]}. Agree? (y/n) "
        self._line.send(m.Reply(accept=keys.key(question).strip().lower().startswith("y")))

    def save(self, path: str | None) -> str:
        """The server keeps the match."""
        return self.leave()

    def leave(self) -> str:
        """How to come back."""
        if self._line.now.state == "over":
            return f"Step through it with: kwartet replay {self._link}"
        return f"The table stays on the server. Come back with: kwartet play {self._link}"

    def ended(self) -> str:
        """How the match ended."""
        told = self._line.now.result
        if told is None:
            return "The match is over."
        early = ENDINGS.get(told.reason, "")
        return f"{early} {result(self.names, told.scores, told.winners)}".strip()

    def _note_movers(self) -> None:
        """Who made the moves that are new in the log."""
        match = self._line.now.match
        if match is None:
            return
        log = self._line.log
        known = {step.ply: step.seat for step in match.steps}
        del self._seats[len(log) :]
        for ply in range(len(self._seats), len(log)):
            if log[ply].startswith("*"):
                self._seats.append(None)
                continue
            later = [known[end] for end in sorted(known) if end > ply]
            mover = next((seat for seat in later if seat is not None), EARLIER)
            self._seats.append(mover)


def _name(seat: Any, number: int) -> str:
    if seat.name:
        return str(seat.name)
    return f"{str(seat.level).capitalize()} bot" if seat.kind == "bot" else f"Player {number}"


def watch(text: str, token: str | None, *, plain: bool) -> None:
    """Follow a table until its match is over."""
    from kwartet.cli.playing.show import Screen

    link = read_link(text)
    with connected(link, token) as line:
        place = Remote(line, link)
        place.screen = screen = Screen(place.game, place.names, plain=plain)
        prepare([place.game])
        shown = 0
        place.begin()
        while True:
            now, log = line.now, place.log(None)
            screen.names = place.names
            screen.clear()
            screen.show(place.view(None), _news(log[shown:], screen.names) if shown else [])
            shown = len(log)
            if now.state == "over":
                break
            with screen.busy("Watching; Ctrl-C ends it."):
                line.changed(now.version)
        screen.say(place.ended(), "bold")
        screen.say(place.leave(), unbroken=True)


def _news(moves: list[Told], names: list[str]) -> list[str]:
    from kwartet.cli.playing.words import told

    text = told(moves, names)
    return [f"{text}."] if text else []
