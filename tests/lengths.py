"""How much of very much is tried: a part in `make test`, all of it in `make test-long`."""

import os
from typing import Final, TypeVar

Amount = TypeVar("Amount")
LONG: Final = os.environ.get("KWARTET_LONG_TESTS") == "1"


def much(short: Amount, long: Amount) -> Amount:
    """The one or the other; both try the same cases from the same seeds, one of them more."""
    return long if LONG else short
