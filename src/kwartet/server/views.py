"""What the log tells of a table, as it crosses the wire: its types become those of messages."""

from typing import TYPE_CHECKING

from kwartet.server import events as e
from kwartet.server import messages as m

if TYPE_CHECKING:
    from kwartet.server.story import Declined, Offer


def clock_view(clock: e.Clock | None) -> m.ClockView | None:
    """How long one may think."""
    return None if clock is None else m.ClockView(clock.kind, clock.seconds, clock.increment)


def line_view(line: e.Line) -> m.ChatLine:
    """Something that was said."""
    return m.ChatLine(line.number, line.at, line.player, line.name, line.text)


def result_view(result: e.Result | None) -> m.ResultView | None:
    """How a match ended."""
    if result is None:
        return None
    return m.ResultView(
        result.reason, result.winners, result.scores, result.places, list(result.outcomes)
    )


def offer_view(offer: "Offer | None") -> m.OfferView | None:
    """What a seat offers."""
    return None if offer is None else m.OfferView(offer.kind, offer.seat, list(offer.agreed))


def declined_view(declined: "Declined | None") -> m.DeclinedView | None:
    """What was declined."""
    return None if declined is None else m.DeclinedView(declined.kind, declined.seat)
