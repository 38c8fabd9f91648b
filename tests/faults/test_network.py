"""Whatever a network does to messages, each command is carried out once."""

from pathlib import Path

from tests.faults.campaigns import network
from tests.serving import on_a_loop


@on_a_loop
async def test_a_bad_network_makes_no_command_be_lost_or_done_twice(tmp_path: Path) -> None:
    outcome = await network(tmp_path, 150)
    assert not outcome.faults
    assert len(outcome.numbers["messages"]) == 8  # every kind of fault
