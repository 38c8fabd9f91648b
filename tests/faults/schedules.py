"""Many more schedules for the model of clocks than `make test` has time for."""

import asyncio
from collections import Counter

from hypothesis import given, settings
from structlog.testing import capture_logs

from tests.faults.campaigns import Advance, Outcome, nobody
from tests.faults.fuzzing import HOW
from tests.test_clock_model import SCHEDULES, Op, carry_out


def held(count: int, *, advance: Advance = nobody) -> Outcome:
    """Carry out so many random schedules; each that charged too much or too little is a fault."""
    happened: Counter[str] = Counter()
    faults: list[str] = []

    @settings(max_examples=count, **HOW)
    @given(SCHEDULES)
    def carry(ops: list[Op]) -> None:
        try:
            with capture_logs():
                asyncio.run(carry_out(ops))
        except AssertionError as error:
            faults.append(f"{error}\n{ops}")
        happened.update(op[0] for op in ops)
        advance(1)

    carry()
    return Outcome({"schedules": count, "happened": dict(happened)}, faults)
