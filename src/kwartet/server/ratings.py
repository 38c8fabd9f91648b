"""How strong players are, people and bots alike: openskill, match by match."""

from functools import cache
from typing import Any, Final

from kwartet.server.messages import Rating
from kwartet.store import Rate, Skill

NEWCOMER: Final[Skill] = (25.0, 25.0 / 3)
SCALE: Final = 40  # so that 25 above a newcomer's caution, as a strong player has, is 1000


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=NEWCOMER[0], sigma=NEWCOMER[1])


def rate_places(places: list[int]) -> Rate:
    """A function from skills before a match with these places to the skills after it."""

    def rate(before: list[Skill | None]) -> list[Skill]:
        model = _model()
        teams = [[model.create_rating(list(skill or NEWCOMER))] for skill in before]
        rated = model.rate(teams, ranks=[float(place) for place in places])
        return [(player.mu, player.sigma) for (player,) in rated]

    return rate


def shown(mu: float, sigma: float, matches: int) -> Rating:
    """A rating as people see it: cautious, so that it grows with proof."""
    return Rating(mu, sigma, matches, round(SCALE * (mu - 3 * sigma)))
