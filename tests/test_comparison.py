"""Random matches on the compiled and on the plain rules must agree after every move.

`python -m tests.comparison` is the same with ten thousand matches of every option set.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers

from tests.comparison import OPTION_SETS, compare

CASES = [(key, options) for key, sets in OPTION_SETS.items() for options in sets]


@pytest.mark.parametrize(("key", "options"), CASES, ids=str)
@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=integers(0, 2**32))
def test_the_compiled_rules_agree_with_the_plain_ones(
    key: str, options: dict[str, Any], seed: int
) -> None:
    assert compare(key, options, seed) > 0
