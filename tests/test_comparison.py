"""Random matches on the compiled and on the plain rules must agree after every move.

`python -m tests.comparison` is the same with ten thousand matches of every option set.
"""

from typing import Any

from hypothesis import given, settings
from hypothesis.strategies import integers

from tests.cases import each_of_ours
from tests.comparison import compare


@each_of_ours
@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=integers(0, 2**32))
def test_the_compiled_rules_agree_with_the_plain_ones(
    key: str, options: dict[str, Any], seed: int
) -> None:
    assert compare(key, options, seed) > 0
