"""The people at this terminal in turn: what they are shown, asked and told."""

from typing import TYPE_CHECKING, Final

from kwartet.cli.playing import keys
from kwartet.cli.playing.typed import Offered, Several, find_move, matching
from kwartet.cli.playing.words import hinted, points, reasons, told
from kwartet.cli.terminal import console
from kwartet.core.errors import GameError

if TYPE_CHECKING:
    from kwartet.cli.playing.places import Place
    from kwartet.cli.playing.show import Screen

FEW: Final = 24  # so many moves are listed without asking
MANY: Final = 120  # and so many if somebody asks
COMMANDS: Final = {  # what can be typed besides moves
    "?": "the rules in short; ? c3 lists the moves that begin with c3",
    "moves": "all moves, with numbers to choose by",
    "try MOVE": "what a move would do, without playing it; also MOVE?",
    "hint": "what an expert would play, and why",
    "undo": "take your last move back",
    "board": "the board again; board all, all of a large one",
    "log": "everything played so far",
    "save [FILE]": "where the match is kept, or a copy of it",
    "quit": "leave; the match is kept",
}
GREETING: Final = "Type a move, or ? for help. Tab completes."


class Session:
    """Everybody who sits at this terminal."""

    def __init__(self, place: "Place", screen: "Screen", people: int) -> None:
        self._place = place
        self._screen = screen
        self._shares = people > 1 and place.hides  # whether hands must be hidden between turns
        self._seen: dict[int, int] = {}  # by seat: up to which ply it knows what was played
        self._before: int | None = None  # who looked at the screen last
        self._offered = Offered()

    def run(self) -> None:
        """Play until the match is over or somebody leaves."""
        keys.complete_with(self._candidates)
        while (seat := self._place.actor()) is not None:
            if not self._place.is_here(seat):
                self._place.wait()
            elif not self._turn(seat):
                self._screen.say(self._place.leave(), unbroken=True)
                return
        self._screen.clear()
        news = self._news(None, max(self._seen.values(), default=0))
        self._screen.show(self._place.view(self._before), news)
        self._screen.say(self._place.ended(), "bold")
        self._screen.say(self._place.leave(), unbroken=True)

    # A turn -------------------------------------------------------------------------------

    def _turn(self, seat: int) -> bool:
        """Show where things stand and ask until a move is played; False if somebody leaves."""
        if self._shares and self._before != seat:
            self._screen.clear()
            keys.key(f"{self._screen.names[seat]} is next. Press a key when nobody else looks. ")
        is_new = seat not in self._seen
        self._before = seat
        self._screen.clear()
        view = self._place.view(seat)
        news = self._news(seat, self._seen.get(seat, 0))
        news += [self._offer(self._place.legal(), FEW), *([GREETING] if is_new else [])]
        if self._screen.plain and not is_new:
            self._screen.tell(view, news)
        else:
            self._screen.show(view, news)
        self._seen[seat] = len(self._place.log(seat))
        while (answer := self._asked(seat)) is None:
            pass
        return answer

    def _asked(self, seat: int) -> bool | None:
        """One line from somebody: whether the match goes on, None if they are still to act."""
        answer = keys.line(f"{self._screen.names[seat]}, your move: ")
        try:
            return self._obey(seat, answer)
        except GameError as error:
            self._screen.refuse(error)
            return None if self._place.actor() == seat else True  # it may have ended meanwhile

    def _obey(self, seat: int, answer: str) -> bool | None:
        words = answer.removeprefix("/").split()
        legal = self._place.legal()
        if answer in legal:
            return self._play(seat, answer)
        match words:
            case ["quit" | "exit" | "q"]:
                return False
            case ["undo"]:
                self._screen.say(self._place.undo())
                past = len(self._place.log(None))
                self._seen = {other: min(ply, past) for other, ply in self._seen.items()}
                return True
            case []:
                return None
            case ["?" | "help"]:
                self._teach()
            case ["?", *start]:
                self._screen.say(self._offer(matching(" ".join(start), legal), MANY))
            case ["moves"]:
                self._screen.say(self._offer(legal, MANY))
            case ["board", *rest]:
                self._screen.show(self._place.view(seat), whole=rest == ["all"])
            case ["log"]:
                self._screen.say(told(self._place.log(seat), self._screen.names) + ".")
            case ["hint"]:
                hints = self._place.hints()
                self._offered.moves = [hint.move for hint in hints]
                lines = hinted(hints, self._screen.names, self._screen.game)
                for number, sentence in enumerate(lines, 1):
                    self._screen.say(f"{number}  {sentence}")
            case ["save", *path]:
                self._screen.say(self._place.save(" ".join(path) or None), unbroken=True)
            case ["try", *_]:
                self._try(seat, answer.partition(" ")[2])
            case _ if answer.endswith("?"):
                self._try(seat, answer[:-1])
            case _:
                if move := self._meant(answer):
                    return self._play(seat, move)
        return None

    def _play(self, seat: int, move: str) -> bool:
        self._seen[seat] = len(self._place.log(seat))  # one's own move is told again with the rest
        self._place.play(move)
        self._offered.moves = []
        return True

    def _meant(self, text: str) -> str | None:
        """The move that was typed; None if it could be several, which are then listed."""
        found = find_move(text, self._place.legal(), self._offered, self._place.read)
        if isinstance(found, Several):
            self._screen.say("That could be:")
            self._screen.say(self._offer(found.moves, MANY))
            return None
        return found

    def _try(self, seat: int, text: str) -> None:
        """What a move would do: points, who acts then, what the next can make of it."""
        move = self._meant(text)
        if move is None:
            return
        trial = self._place.trial(seat)
        before = trial.scores()
        from kwartet.core.chance import generator
        from kwartet.reviews.reasons import Reasons

        action = trial.read(move)[0]
        known = trial.redacted(seat)
        (reason,) = Reasons(trial.game).tell(known, seat, [action], generator(0))
        trial.play(move)
        console.print()
        self._screen.say(f"If you play {move}:", "bold")
        self._screen.show(trial.view(seat))
        gained = trial.scores()[seat] - before[seat]
        game = self._screen.game
        at_once = f"It brings {points(gained, game)} at once. " if gained else ""
        self._screen.say(
            f"{at_once}{reasons(reason, self._screen.names, game)} {self._next(trial.actor)}"
        )

    def _next(self, actor: int | None) -> str:
        if actor is None:
            return "The match is over then."
        return "Then luck decides." if actor < 0 else f"Then {self._screen.names[actor]} acts."

    # What is told -------------------------------------------------------------------------

    def _news(self, seat: int | None, ply: int) -> list[str]:
        """What has been played since; not what luck did before anybody moved."""
        log = self._place.log(seat)
        begun = next((at for at, each in enumerate(log) if each.seat is not None), len(log))
        recent = told(log[max(ply, begun) :], self._screen.names)
        return [f"{recent}."] if recent else []

    def _offer(self, moves: list[str], most: int) -> str:
        """A numbered list, if it is short enough to read, for numbers to be typed."""
        self._offered.moves = list(moves)
        if not moves:
            return "Nothing possible begins so."
        if len(moves) <= most:
            listed = (f"{number} {move}" for number, move in enumerate(moves, 1))
            return "Possible: " + ", ".join(listed) + "."
        self._offered.moves = []
        kinds = sorted({move.split()[0] for move in moves if " " in move})
        more = f", such as {', '.join(kinds)}" if kinds else ""
        return f"{len(moves)} moves are possible{more}; {moves[0]} is one. Type the beginning."

    def _teach(self) -> None:
        game = self._screen.game
        lesson = game.screens.LESSON if game.screens else (game.summary,)
        self._screen.say(f"{game.title}. {game.credit}.", "bold")
        for paragraph in lesson:
            self._screen.say(paragraph)
        self._screen.say("You can type:", "bold")
        self._screen.say("a move, its beginning, or its number in the last list")
        for word, meaning in COMMANDS.items():
            self._screen.say(f"{word}: {meaning}")

    def _candidates(self) -> list[str]:
        """What the tab key may complete to."""
        words = [word.partition(" ")[0] for word in COMMANDS]
        return [*self._place.legal(), *words]
