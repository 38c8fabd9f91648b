"""The games as OpenSpiel games: importing this module registers `kwartet_carnac` and so on.

A game's options are its parameters; of one that is a list each item ends with a slash.
`opening` has the numbers of actions that every match begins after, such as `3/17/`: the end
of a match is small enough for algorithms that walk the whole tree.
"""

from collections.abc import Callable
from itertools import zip_longest
from typing import Any, Final

import numpy as np
import pyspiel

from kwartet.core import features
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game, Option, Options
from kwartet.core.verbs import CHANCE, OVER, SPECTATOR
from kwartet.envs.world import World
from kwartet.games import GAMES

OPENING: Final = "opening"
SCORE_LIMIT: Final = 200.0  # no score is larger where it is the result
PLAYERS: Final = {CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}


class KwartetGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options settled. Which one, the subclass says."""

    game: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        opening = _numbers(given.pop(OPENING, ""))
        game = self.game
        self.options = game.settle(_options(game, given))
        self._root = World(game, self.options, opening)
        rules, seats = game.rules, self._root.seats
        limit = 1.0 if seats > 1 else SCORE_LIMIT
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.ACTIONS,
            max_chance_outcomes=rules.CHANCE_ACTIONS,
            num_players=seats,
            min_utility=-limit,
            max_utility=limit,
            utility_sum=0.0 if seats > 1 else None,
            max_game_length=rules.MAX_ACTIONS,
        )
        super().__init__(_type(game, seats > 1), info, params or {})

    def new_initial_state(self, *_: Any) -> "KwartetState":
        """A state at the beginning, after the opening."""
        return KwartetState(self, self._root.copy())

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "KwartetObserver":
        """An observer; one with perfect recall also has everything a player saw happen."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return KwartetObserver(self.game, self._root.seats, wanted, params)

    def max_chance_nodes_in_history(self) -> int:
        """No match has more."""
        return int(self.game.rules.MAX_ACTIONS) if self.game.rules.CHANCE_ACTIONS else 0


class KwartetState(pyspiel.State):  # type: ignore[misc]
    """Where a match stands. All its Python side is one attribute, since OpenSpiel copies them."""

    def __init__(self, game: KwartetGame, world: World) -> None:
        super().__init__(game)
        self.world = world

    def current_player(self) -> int:
        """A seat, or OpenSpiel's number for chance or the end."""
        actor = self.world.actor
        return int(PLAYERS.get(actor, actor))

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.world.is_over

    def returns(self) -> list[float]:
        """Results that add up to 0; alone at the table, the score. All 0 before the end."""
        position = self.world
        if position.seats > 1 or not position.is_over:
            return position.returns()
        return [float(score) for score in position.scores()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each outcome and how likely it is."""
        return self.world.chances()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "KwartetState":
        """A state that the player cannot tell from this one, drawn at random."""
        twin: KwartetState = self.clone()
        twin.world = self.world.imagine(player, int(sampler() * (1 << 53)))
        return twin

    def _legal_actions(self, player: int) -> list[int]:
        return self.world.legal_actions

    def _apply_action(self, action: int) -> None:
        self.world.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.world.name(player, action)

    def __str__(self) -> str:
        return " ".join(self.world.match.moves)


class KwartetObserver:
    """What a player sees, as named tensors and as text."""

    def __init__(
        self, game: Game, seats: int, iig_obs_type: Any, params: dict[str, Any] | None
    ) -> None:
        if params:
            raise ValueError(f"An observer takes no parameters, not {params}.")
        if iig_obs_type.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("An observer sees what one player sees, not what all of them see.")
        self.is_private = iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.is_public = iig_obs_type.public_info
        self.recalls = iig_obs_type.perfect_recall
        fields = [features.Field("player", (seats,), "1 at the player."), *game.features.FIELDS]
        if self.recalls:
            meaning = "What the player saw happen."
            fields.append(features.Field("memory", (game.rules.MAX_ACTIONS,), meaning))
        self.tensor = np.zeros(features.size(fields), np.float32)
        self.dict = features.split(fields, self.tensor)
        self._seen = self.tensor[seats : seats + features.size(game.features.FIELDS)]

    def set_from(self, state: KwartetState, player: int) -> None:
        """Write what the player sees to `tensor`, of which `dict` has the parts."""
        world = state.world
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        world.observe(player if self.is_private else SPECTATOR, self._seen)
        if self.recalls:
            world.write_memory(player if self.is_private else None, self.dict["memory"])
        if not self.is_public:
            self._forget_public(world)

    def string_from(self, state: KwartetState, player: int) -> str:
        """With perfect recall all that the player saw happen, else the board as it sees it."""
        world = state.world
        watcher = player if self.is_private else None
        parts = world.memory(watcher) if self.recalls else world.board(watcher)
        if not self.is_public:
            public = world.memory(None) if self.recalls else world.board(None)
            parts = [part for part, known in zip_longest(parts, public) if part and part != known]
        return (" " if self.recalls else "\n").join([f"seat {player}:", *parts])

    def _forget_public(self, world: World) -> None:
        """Leave only what a spectator does not see as well."""
        public = np.zeros_like(self._seen)
        world.observe(SPECTATOR, public)
        self._seen[self._seen == public] = 0
        if self.recalls:
            memory = self.dict["memory"]
            public = np.zeros_like(memory)
            world.write_memory(None, public)
            memory[memory == public] = 0


def register_all() -> None:
    """Let `pyspiel.load_game` find every game that is known now."""
    known = set(pyspiel.registered_names())
    for game in GAMES.values():
        if _short_name(game) not in known:
            # OpenSpiel lets go of what it was given after Python has ended. A class outlives
            # that; freeing anything else then would abort the process.
            made = type(f"{KwartetGame.__name__}_{game.key}", (KwartetGame,), {"game": game})
            pyspiel.register_game(_type(game, game.seat_counts[0] > 1), made)


def _type(game: Game, versus: bool) -> Any:
    """What OpenSpiel wants to know of a game; `versus`: whether there is somebody to beat."""
    kinds = pyspiel.GameType
    rules = game.rules
    return kinds(
        short_name=_short_name(game),
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if rules.CHANCE_ACTIONS
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if rules.SECRETS
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if versus else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seat_counts),
        min_num_players=min(game.seat_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={OPENING: ""}
        | {option.name: _parameter(option) for option in game.options},
    )


def _short_name(game: Game) -> str:
    return f"kwartet_{game.key}"


def _parameter(option: Option) -> Any:
    """An option's default as OpenSpiel can hold it; one without choices is text."""
    return option.default if option.choices else ""


def _options(game: Game, params: dict[str, Any]) -> Options:
    """The options that parameters stand for; what OpenSpiel left out or empty has its default."""
    free = {option.name: option for option in game.options if not option.choices}
    return {
        name: free[name].read(",".join(_items(value))) if name in free else value
        for name, value in params.items()
        if not (name in free and value == "")
    }


def _items(text: str) -> list[str]:
    """What a parameter lists. A comma would end it, and a number alone would not be text."""
    return [item for item in text.split("/") if item]


def _numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in _items(text)]
    except ValueError as error:
        raise GameError(
            "bad-option", f"{OPENING} has numbers of actions, not {quoted(text)}."
        ) from error


register_all()
