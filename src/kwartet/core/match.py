"""One playing of a game: the log of its moves and the state they lead to.

A match is its options plus its moves; the state is derived. Taking back replays
the log, so it is exact by construction. Chance is an actor like the seats: with
`auto_chance` the match draws for it from its seed, else the caller plays it.
"""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, Final

import numpy as np

from kwartet.core import engine, features
from kwartet.core.chance import generator, lots, numbered_lot, seed_bytes
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.game import Game, Options
from kwartet.core.picture import Picture, written
from kwartet.core.verbs import CHANCE, OVER, SPECTATOR

RECORD_FORMAT: Final = 1
PLAIN: Final = (bool, int, str)


class Match:
    """A match of `game`. Bad input raises GameError and leaves the match as it was."""

    def __init__(
        self,
        game: Game,
        options: Options,
        *,
        seed: int | bytes | None = None,
        auto_chance: bool = True,
        version: int | None = None,
    ) -> None:
        """Begin a match, by default under the present version of the rules."""
        self.game = game
        self.version = game.check_version(game.version if version is None else version)
        self.options = game.settle(options)
        self.seats = game.seats(self.options)
        self.auto_chance = auto_chance
        self._seed = seed_bytes(seed)
        self._lots = lots(self._seed)
        self._start = game.start(self.options)
        self._settled = 0  # moves that cannot be taken back: `_start` is the state after them
        self._is_set_up = False  # whether the state is another than the moves lead to
        self._states = self._start.copy()
        self._legal = np.empty(game.rules.MAX_LEGAL, np.int32)
        self._points = np.zeros(self.seats, np.int32)
        self._wins = np.zeros(self.seats, np.int8)
        self._acting: int | None = None  # None: the state has changed since it was looked at
        self._actions: list[int] = []
        self._moves: list[str] = []
        self._lengths: list[int] = []  # of each move, in actions
        self._secrets: dict[int, tuple[str, int]] = {}  # by ply: what others see, who sees all
        self._draw()

    @property
    def actor(self) -> int | None:
        """The seat to act, `CHANCE`, or None when the match is over."""
        acting = self._look()
        return None if acting == OVER else acting

    @property
    def moves(self) -> list[str]:
        """Everything played so far, chance included."""
        return list(self._moves)

    @property
    def actions(self) -> list[int]:
        """Everything played so far as actions; a move may be several of them."""
        return list(self._actions)

    @property
    def lengths(self) -> list[int]:
        """How many actions each move is."""
        return list(self._lengths)

    @property
    def ply(self) -> int:
        """The index of the next move in the log."""
        return len(self._moves)

    @property
    def state(self) -> engine.States:
        """A copy of the state, as an array of one record. It holds every secret."""
        return self._states.copy()

    def log(self, seat: int | None, since: int = 0) -> list[str]:
        """Everything played so far, or since a ply, as the seat (None: a spectator) may know it."""
        watcher = self._watcher(seat)
        return [
            self._secrets[ply][0]
            if ply in self._secrets and self._secrets[ply][1] != watcher
            else move
            for ply, move in enumerate(self._moves[since:], since)
        ]

    def legal_actions(self) -> list[int]:
        """The actor's legal actions, ascending; none when the match is over."""
        count = engine.legal_actions(self._states, self._legal)
        listed: list[int] = self._legal[:count].tolist()
        return listed

    def legal(self) -> list[str]:
        """The actor's legal moves in notation, ascending by action."""
        acting = self.actor
        return self._names(acting, self.legal_actions()) if acting is not None else []

    def read(
        self, move: str | int, *, seat: int | None = None, ply: int | None = None
    ) -> list[int]:
        """The actions that a move stands for; GameError if it is malformed or illegal.

        With `seat` or `ply` also if it is not that seat's turn, or if the match has gone
        on since that ply. What is refused so is told nothing of the position.
        """
        acting = self._check_turn(seat, ply, move)
        if isinstance(move, str):
            move = move.strip()
            if move.startswith("*") != (acting == CHANCE):
                raise GameError("illegal-move", f"{self._whose_turn(acting)}{self._possible()}")
            try:
                actions: list[int] = self.game.notation.read(self._states[0], acting, move)
            except GameError as error:
                sentence = error.sentence + self._possible()
                raise GameError(error.code, sentence, error.reason) from None
        elif isinstance(move, int | np.integer) and not isinstance(move, bool):
            actions = [int(move)]
        else:
            raise GameError(
                "bad-notation", f"A move is text or an action's number, not {quoted(move)}."
            )
        self._check(actions, move)
        return actions

    def why(self, move: str, *, seat: int | None = None, ply: int | None = None) -> Any:
        """Why a move that can be read is not legal, in the game's own parts; None if it is.

        JSON-ready: `game`, `reason` and what belongs to that. None also in a game that tells
        nothing of the kind. GameError as from `read` for whatever else is wrong, such as a
        seat's move where chance is to act.
        """
        try:
            self.read(move, seat=seat, ply=ply)
        except GameError as error:
            explains = hasattr(self.game.notation, "why")
            if error.code == "illegal-move" and (error.reason or not explains):
                return error.reason
            raise
        return None

    def play(self, move: str | int, *, seat: int | None = None, ply: int | None = None) -> None:
        """Play a move in notation, or an action; then chance, if the match draws for it."""
        self._append(self.read(move, seat=seat, ply=ply))
        self._draw()

    def extend(self, actions: Iterable[int]) -> None:
        """Play actions that are known to be legal, chance included."""
        for action in actions:
            self._append([action])

    def follow(self, moves: Iterable[str]) -> None:
        """Play moves of a log, chance included, and draw nothing."""
        drawing, self.auto_chance = self.auto_chance, False
        try:
            for move in moves:
                self.play(move)
        finally:
            self.auto_chance = drawing

    def resume_chance(self) -> None:
        """From now on draw for chance, if the caller has played it so far."""
        self.auto_chance = True
        self._draw()

    def undo(self) -> None:
        """Take back the last move; with `auto_chance`, a seat's move and the chance after it."""
        keep = len(self._moves) - 1
        if self.auto_chance:
            while keep >= self._settled and self._moves[keep].startswith("*"):
                keep -= 1
        if keep < self._settled:
            raise GameError("nothing-to-undo", "No move has been played that can be taken back.")
        del self._moves[keep:], self._lengths[keep:]
        self._secrets = {ply: secret for ply, secret in self._secrets.items() if ply < keep}
        del self._actions[sum(self._lengths) :]
        self._states = self._after(self._actions[sum(self._lengths[: self._settled]) :])
        self._acting = None

    def scores(self) -> list[int]:
        """One number a seat, as it stands."""
        self._look()
        points: list[int] = self._points.tolist()
        return points

    def winners(self) -> list[int]:
        """The seats that win, more than one when shared; none while the match runs."""
        if self.actor is not None:
            return []
        return [seat for seat in range(self.seats) if self._wins[seat]]

    def returns(self) -> list[float]:
        """Each seat's result, adding up to 0; all 0 while the match runs."""
        results = np.zeros(self.seats)
        if self.actor is None:
            engine.returns(self._states, self._wins, results)
        numbers: list[float] = results.tolist()
        return numbers

    def redacted(self, seat: int | None) -> engine.States:
        """The state without what the seat (None: a spectator) may not know."""
        states = self._states.copy()
        engine.redact(states, self._watcher(seat))
        return states

    def determinized(self, seat: int | None, seed: int) -> engine.States:
        """A full state that might be the real one, as far as the seat knows."""
        states = self.redacted(seat)
        engine.determinize(states, self._watcher(seat), generator(seed))
        return states

    def imagined(self, seat: int | None, seed: int) -> "Match":
        """A match with the same log in a world that the seat cannot tell from the real one.

        What was played before cannot be taken back in it.
        """
        twin = self.copy()
        twin.set_up(self.determinized(seat, seed))
        return twin

    def set_up(self, states: engine.States) -> None:
        """Stand at another state of the game, an array of one record that is valid.

        What was played before cannot be taken back then, and there is no record.
        """
        if states.dtype != self._states.dtype or states.shape != (1,):
            raise GameError(
                "bad-state", f"A position of {self.game.title} is an array of one of its records."
            )
        self._states = states.copy()
        self._start = states.copy()
        self._settled = len(self._moves)
        self._is_set_up = True
        self._acting = None

    def beginning(self) -> "Match":
        """The match before its first move, of the same seed; its caller plays chance."""
        return Match(
            self.game, self.options, seed=self._seed, auto_chance=False, version=self.version
        )

    def view(self, seat: int | None) -> dict[str, Any]:
        """What the seat (None: a spectator) may see, JSON-ready."""
        watcher = self._watcher(seat)
        states = self.redacted(seat) if self.game.rules.SECRETS else self._states
        board: dict[str, Any] = self.game.views.view(states[0], watcher)
        return {
            "game": self.game.key,
            "options": _copied(self.options),
            "seat": seat,
            "ply": self.ply,
            "actor": self.actor,
            "scores": self.scores(),
            "winners": self.winners(),
            **board,
        }

    def picture(self, seat: int | None) -> Picture:
        """What the seat (None: a spectator) may see as shapes, or as text if the game has none."""
        view, pictures = self.view(seat), self.game.pictures
        return pictures.draw(view) if pictures else written(self.game.views.text(view))

    def preview(self, piece: str, *, seat: int, ply: int | None = None) -> Any:
        """What the seat to act could do with one of its pieces, as the game tells it, JSON-ready.

        GameError if it is not that seat's turn, if the match has gone on since that ply, or
        if the game tells nothing of the kind.
        """
        self._check_turn(seat, ply, piece)
        preview = getattr(self.game.views, "preview", None)
        if preview is None:
            raise GameError("no-preview", f"{self.game.title} has nothing to tell of one piece.")
        return preview(self.redacted(seat)[0], piece)

    def observation(self, seat: int | None) -> dict[str, "np.ndarray[Any, np.dtype[np.float32]]"]:
        """What the seat may see as arrays, one for each of the game's feature fields."""
        fields = self.game.features.FIELDS
        flat = np.zeros(features.size(fields), np.float32)
        engine.observe(self._states, self._watcher(seat), flat)
        return features.split(fields, flat)

    def record(self) -> dict[str, Any]:
        """The whole match, JSON-ready. Before the end it holds secrets: hands, draws, the seed.

        GameError if its position was set up.
        """
        if self._is_set_up:
            raise GameError("no-record", "The moves of a match that was set up do not tell it.")
        record: dict[str, Any] = {
            "kwartet": RECORD_FORMAT,
            "game": self.game.key,
            "rules": self.version,
            "options": _copied(self.options),
            "moves": self.moves,
            "scores": self.scores(),
            "winners": self.winners(),
        }
        return record | {"seed": self._seed.hex()} if self.auto_chance else record

    def copy(self) -> "Match":
        """An independent match with the same past and, drawn from the same seed, the same luck."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.options = _copied(self.options)
        twin._states = self._states.copy()
        twin._legal = self._legal.copy()
        twin._points = self._points.copy()
        twin._wins = self._wins.copy()
        twin._actions = self._actions.copy()
        twin._moves = self._moves.copy()
        twin._lengths = self._lengths.copy()
        twin._secrets = self._secrets.copy()
        return twin

    def __repr__(self) -> str:
        return f"<Match {self.game.key} {self.options} ply {self.ply} actor {self.actor}>"

    # The log ------------------------------------------------------------------------------

    def _append(self, actions: list[int]) -> None:
        """Log and apply actions, each a move of its own or more of one that is still open."""
        for action in actions:
            acting = self._look()
            (name,) = self._names(acting, [action])
            if self._is_open():
                self._moves[-1] = self._joined(self._moves[-1], name)
                self._lengths[-1] += 1
            else:
                self._note_secret(acting, name)
                self._moves.append(name)
                self._lengths.append(1)
            self._actions.append(action)
            engine.apply(self._states, np.array([action], np.int32))
            self._acting = None

    def _look(self) -> int:
        """Who acts; scores and winners are noted, too."""
        if self._acting is None:
            self._acting = int(engine.situation(self._states, self._points, self._wins))
        return self._acting

    def _note_secret(self, acting: int, move: str) -> None:
        """Keep apart what others may know of the move about to be logged."""
        public = getattr(self.game.notation, "public", None)
        if public and (secret := public(self._states[0], acting, move)):
            self._secrets[self.ply] = secret

    def _names(self, acting: int, actions: list[int]) -> list[str]:
        names: list[str] = self.game.notation.names(self._states[0], acting, actions)
        return names

    def _joined(self, *moves: str) -> str:
        notation: Any = self.game.notation  # it has `join` where moves can be open
        joined: str = notation.join(moves)
        return joined

    def _is_open(self) -> bool:
        """Whether the last move goes on: notation may write a run of actions as one move."""
        is_open = getattr(self.game.notation, "is_open", None)
        return bool(is_open and is_open(self._states[0]))

    def _draw(self) -> None:
        """Play for chance until a seat is to act."""
        while self.auto_chance and self.actor == CHANCE:
            if self.version == self.game.version:
                outcome = self.game.luck.draw(self._states[0], self._lots)
            else:
                outcome = self._numbered_draw()
            self._append([int(outcome)])

    def _numbered_draw(self) -> int:
        """Chance's outcome as earlier versions of the rules drew it: one lot an action."""
        outcomes = np.array(self.legal_actions(), np.int32)
        weights = np.empty(len(outcomes), np.int64)
        engine.chance_weights(self._states, outcomes, weights)
        bounds = np.cumsum(weights)
        lot = numbered_lot(self._seed, len(self._actions), int(bounds[-1]))
        return int(outcomes[np.searchsorted(bounds, lot, "right")])

    def _after(self, actions: list[int]) -> engine.States:
        states = self._start.copy()
        engine.apply(states, np.array(actions, np.int32))
        return states

    # Refusals -----------------------------------------------------------------------------

    def _check_turn(self, seat: int | None, ply: int | None, wish: str | int) -> int:
        """Who is to act; GameError if it is another, later, or nobody."""
        acting = self.actor
        if ply is not None and ply != self.ply:
            raise GameError("stale-ply", f"The match is at ply {self.ply}, not {quoted(ply)}.")
        if acting is None:
            raise GameError("game-over", f"The match is over, {quoted(wish)} comes too late.")
        if seat is not None and self._watcher(seat) != acting:
            raise GameError("not-your-turn", f"It is not seat {seat}'s turn.")
        return acting

    def _check(self, actions: list[int], move: str | int) -> None:
        """Raise GameError unless the actions are legal one after the other."""
        trial = self._states.copy() if len(actions) > 1 else self._states
        for number, action in enumerate(actions, 1):
            count = engine.legal_actions(trial, self._legal)
            if action not in self._legal[:count].tolist():
                self._acting = None
                if not isinstance(move, str):
                    sentence = f"There is no action {quoted(action)} here.{self._possible()}"
                    raise GameError("illegal-move", sentence)
                acting = engine.situation(trial, self._points, self._wins)
                sentence = self.game.notation.objection(trial[0], acting, action)
                why = getattr(self.game.notation, "why", None)
                reason = why(trial[0], acting, action) if why else None
                raise GameError("illegal-move", f"{sentence}{self._possible()}", reason)
            if number < len(actions):
                engine.apply(trial, np.array([action], np.int32))

    def _whose_turn(self, acting: int) -> str:
        if acting == CHANCE:
            return "Chance is to act, with a move that begins with *."
        return f"Seat {acting} is to act; moves that begin with * are chance's."

    def _possible(self) -> str:
        return f" Possible: {some_of(self.legal())}."

    def _watcher(self, seat: int | None) -> int:
        if seat is None:
            return SPECTATOR
        if type(seat) is not int or seat not in range(self.seats):
            raise GameError(
                "unknown-seat", f"There is no seat {quoted(seat)}; seats are 0 to {self.seats - 1}."
            )
        return seat


def _copied(options: Options) -> Options:
    """The options in a dictionary of their own; most values are plain and need no copy."""
    return {
        name: value if value is None or type(value) in PLAIN else deepcopy(value)
        for name, value in options.items()
    }
