"""The people at this terminal in turn: what they are shown, asked and told."""

from typing import TYPE_CHECKING, Final

from kwartet.cli.playing import keys
from kwartet.cli.playing.onlooking import Onlooker
from kwartet.cli.playing.typed import Offered, Several, find_move, is_word, matching
from kwartet.cli.playing.words import hinted, points, reasons, time_left, told
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
SHORT: Final = {"y": "yes", "n": "no"}  # where that is asked
GREETING: Final = "Type a move, or ? for help. Tab completes."
MEANWHILE: Final = "You can type while others act: say hello, or ? for help."
AFTERWARDS: Final = "Type rematch to play again, say WORDS to the others, or quit."


class Session:
    """Everybody who sits at this terminal."""

    def __init__(self, place: "Place", screen: "Screen", people: int) -> None:
        self._place = place
        self._screen = screen
        self._onlooker = Onlooker(place, screen)
        self._people = people
        self._seen: dict[int, int] = {}  # by seat: up to which ply it knows what was played
        self._before: int | None = None  # who looked at the screen last
        self._at = 0  # the length of the log then
        self._offered = Offered()
        self._is_taught = False  # whether they know that they can type while others act

    def run(self) -> None:
        """Play until the match is over or somebody leaves."""
        keys.complete_with(self._candidates)
        stays = self._gather()
        while stays and (seat := self._place.actor()) is not None:
            if self._place.is_here(seat):
                stays = self._turn(seat)
            elif not self._place.wait():
                stays = self._stand_by(seat)
        if stays:
            self._end()
        self._screen.say(self._place.leave(), unbroken=True)

    def _gather(self) -> bool:
        """Talk until the match begins; whether one stays."""
        while self._onlooker.waits():
            if self._asked(None, "Waiting, say or quit: ") is False:
                return False
        self._screen.names = self._place.names
        return True

    def _end(self) -> None:
        """The last position and the result, then what those who played say and ask."""
        self._screen.clear()
        news = self._news(None, max(self._seen.values(), default=0))
        talk = self._onlooker.overhear()
        self._screen.show(self._place.view(self._before), news + talk)
        self._screen.say(self._place.ended(), "bold")
        if self._place.lingers():
            self._screen.say(AFTERWARDS)
        while self._place.lingers() and self._asked(None, "rematch, say or quit: ") is not False:
            self._tell_news()

    # A turn -------------------------------------------------------------------------------

    def _turn(self, seat: int) -> bool:
        """Show where things stand and ask until a move is played; False if somebody leaves."""
        if self._people > 1 and self._place.hides and self._before != seat:  # hands stay hidden
            self._screen.clear()
            keys.key(f"{self._screen.names[seat]} is next. Press a key when nobody else looks. ")
        is_new = seat not in self._seen
        self._before = seat
        self._screen.clear()
        talk = self._onlooker.overhear()
        view = self._place.view(seat)
        news = self._news(seat, self._onlooker.told_until(self._seen.get(seat, 0)))
        news += [*talk, self._offer(self._place.legal(), FEW)]
        news += [GREETING] if is_new else []
        if self._screen.plain and not is_new:
            self._screen.tell(view, news)
        else:
            self._screen.show(view, news)
        self._seen[seat] = self._at = len(self._place.log(seat))
        self._onlooker.saw(seat)
        while self._is_to_act(seat):
            clock = time_left(self._place.left())
            answer = self._asked(seat, f"{self._screen.names[seat]}, your move{clock}: ")
            if answer is not None:
                return answer
            self._tell_news()
        return True

    def _stand_by(self, actor: int) -> bool:
        """Look on while somebody elsewhere acts; whether one stays."""
        self._onlooker.look(self._before, self._seen.get(self._before or 0, 0))
        if self._place.actor() != actor or self._place.is_here(actor):
            return True
        who = self._screen.names[actor] if actor >= 0 else "the server"
        if not self._is_taught:
            self._is_taught = True
            self._screen.say(MEANWHILE)
        return (
            self._asked(None, f"Waiting for {who}{time_left(self._place.left())} … ") is not False
        )

    def _asked(self, seat: int | None, prompt: str) -> bool | None:
        """One line from somebody: whether they stay, None if they may have more to say."""
        answer = self._place.ask("yes or no? " if self._place.question() else prompt)
        try:
            return None if answer is None else self._obey(seat, answer)
        except GameError as error:
            self._screen.refuse(error)
            return None

    def _is_to_act(self, seat: int) -> bool:
        """Whether the match stands as it did when the seat's turn was shown."""
        stands = (seat, self._at) == (self._place.actor(), len(self._place.log(seat)))
        return stands and self._place.is_here(seat)

    def _obey(self, seat: int | None, answer: str) -> bool | None:
        """Do what was typed; `seat` is None while others act."""
        words = answer.removeprefix("/").split()
        if seat is not None and answer in self._place.legal():
            return self._play(seat, answer)
        if self._place.question() and answer in SHORT:
            words = [SHORT[answer]]
        match words:
            case ["quit" | "exit" | "q"]:
                return False
            case []:
                return None
            case ["undo"]:
                self._undo()
            case [word, *rest] if is_word(word, self._place.words()):
                if word != "resign" or self._is_meant("Give the match up? yes or no: "):
                    self._screen.tell_line(self._place.obey(word, " ".join(rest), seat))
            case _ if not self._tell(words):
                return self._try_or_play(seat, answer)
        return None

    def _tell(self, words: list[str]) -> bool:
        """Tell what was asked for; whether these words ask for something."""
        match words:
            case ["?" | "help"]:
                self._teach()
            case ["?", *start]:
                found = matching(" ".join(start), self._place.legal())
                self._screen.say(self._offer(found, MANY))
            case ["moves"]:
                self._screen.say(self._offer(self._place.legal(), MANY))
            case ["board", *rest]:
                self._screen.show(self._place.view(self._before), whole=rest == ["all"])
            case ["log"]:
                self._screen.say(told(self._place.log(self._before), self._screen.names) + ".")
            case ["hint"]:
                self._hint()
            case ["save", *path]:
                self._screen.say(self._place.save(" ".join(path) or None), unbroken=True)
            case _:
                return False
        return True

    def _try_or_play(self, seat: int | None, answer: str) -> bool | None:
        if seat is None:
            is_over = self._place.actor() is None
            code = "game-over" if is_over else "not-your-turn"
            sentence = "The match is over." if is_over else "It is not your turn."
            raise GameError(code, f"{sentence} ? tells what can be typed.")
        if answer.startswith("try "):
            self._try(seat, answer.removeprefix("try "))
        elif answer.endswith("?"):
            self._try(seat, answer[:-1])
        elif move := self._meant(answer):
            return self._play(seat, move)
        return None

    def _is_meant(self, question: str) -> bool:
        """Whether somebody says yes to what cannot be undone."""
        is_meant = keys.line(question).casefold() in ("yes", "y")
        if not is_meant:
            self._screen.say("Then it goes on.")
        return is_meant

    def _undo(self) -> None:
        self._screen.tell_line(self._place.undo())
        past = len(self._place.log(None))
        self._seen = {other: min(ply, past) for other, ply in self._seen.items()}

    def _hint(self) -> None:
        hints = self._place.hints()
        self._offered.moves = [hint.move for hint in hints]
        for number, sentence in enumerate(hinted(hints, self._screen.names, self._screen.game), 1):
            self._screen.say(f"{number}  {sentence}")

    def _play(self, seat: int, move: str) -> bool:
        self._seen[seat] = len(self._place.log(seat))  # one's own move is told again with the rest
        self._place.play(move)
        self._onlooker.forget()
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

    def _tell_news(self) -> None:
        """What was said and asked meanwhile."""
        for line in self._onlooker.hear():
            self._screen.tell_line(line)

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
        for word, meaning in {**COMMANDS, **self._place.words()}.items():
            self._screen.say(f"{word}: {meaning}")

    def _candidates(self) -> list[str]:
        """What the tab key may complete to."""
        words = [word.partition(" ")[0] for word in (*COMMANDS, *self._place.words())]
        return [*self._place.legal(), *words]
