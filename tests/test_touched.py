"""Which tests a change touches."""

from pathlib import Path

import pytest

import touched

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def tests() -> touched.Tests:
    return touched.Tests()


def test_every_module_touches_a_test(tests: touched.Tests) -> None:
    for path in sorted((ROOT / "src").rglob("*.py")):
        files, games = touched.select([str(path.relative_to(ROOT))], tests)
        assert files or games, path


def test_a_test_touches_itself(tests: touched.Tests) -> None:
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        changed = str(path.relative_to(ROOT))
        assert changed in touched.select([changed], tests)[0]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("src/kwartet/core/kernels.py", "tests/test_kernels.py"),  # by its name
        ("src/kwartet/bots/workspace.py", "tests/test_search.py"),  # which imports it
        ("src/kwartet/envs/batches.py", "tests/test_batch.py"),  # which imports it from its package
        ("src/kwartet/server/table.py", "tests/test_server_matches.py"),  # by its folder's name
        ("tests/comparison.py", "tests/test_conformance.py"),  # through another module
        ("tools/lessons.py", "tests/test_lessons.py"),
    ],
)
def test_a_change_touches_what_is_near(changed: str, expected: str, tests: touched.Tests) -> None:
    files, games = touched.select([changed], tests)
    assert expected in files
    assert not games


@pytest.mark.parametrize(
    "changed",
    [
        "src/kwartet/games/catan_dice/rules.py",
        "tests/plain/catan_dice_turn.py",
        "tests/data/perft/catan_dice.json",
        "docs/games/catan_dice.md",
    ],
)
def test_a_game_touches_the_tests_named_after_it(changed: str, tests: touched.Tests) -> None:
    assert touched.select([changed], tests) == ([], ["catan_dice"])


def test_a_module_that_no_test_imports_touches_those_nearest_to_it(tmp_path: Path) -> None:
    for path, text in {
        "src/kwartet/__init__.py": "",
        "src/kwartet/far.py": "",
        "src/kwartet/middle.py": "def f():\n    from kwartet import far\n",
        "src/kwartet/other.py": "",
        "tests/helper.py": "from kwartet.middle import f",
        "tests/test_one.py": "from tests.helper import f",
        "tests/test_two.py": "import kwartet.other",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    small = touched.Tests(tmp_path)
    assert touched.select(["src/kwartet/far.py"], small) == (["tests/test_one.py"], [])
    assert touched.select(["src/kwartet/other.py"], small) == (["tests/test_two.py"], [])
    assert touched.select(["README.md"], small) == ([], [])
    both = ["tests/test_one.py", "tests/test_two.py"]
    assert touched.select(["src/kwartet/other.py", "tests/helper.py"], small) == (both, [])
