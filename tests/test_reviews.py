"""Reviews: worths, losses and accounts, for every game."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kwartet
from kwartet.arena import Inline, Processes
from kwartet.bots.workspace import Settings
from kwartet.core.tactics import Thresholds
from kwartet.reviews import VERDICTS, Review, Worth, judge_move, make_review, plan_review
from kwartet.reviews.care import CARES, Care
from kwartet.reviews.chances import Chances
from kwartet.reviews.decisions import Decisions
from kwartet.reviews.endings import Endings
from kwartet.reviews.graph import draw
from kwartet.reviews.judge import find_judge
from kwartet.reviews.keeping import Keeping
from kwartet.reviews.story import Story
from kwartet.reviews.verdicts import accuracy, verdict
from tests.cases import every_game
from tests.commands import without_jit
from tests.exhaustive import exact_values
from tests.glancing import GLANCE, JUDGE, begun, glanced, random_match


def figures(worth: Worth) -> Any:
    return pytest.approx(tuple(worth), abs=1e-9)


# Every game --------------------------------------------------------------------------------


@every_game
def test_a_review_has_all_of_a_match_and_its_accounts_close(
    key: str, options: dict[str, Any]
) -> None:
    match = random_match(key, 3, **options)
    review = glanced(match)
    assert review.is_done
    plies = [each.ply for each in review.decisions] + [each.ply for each in review.chances]
    assert sorted(plies) == list(range(match.ply))
    assert all(match.moves[each.ply] == each.move for each in review.decisions)
    assert all(match.moves[each.ply] == each.outcome for each in review.chances)
    assert len(review.worth) == match.ply + 1
    for seat, account in enumerate(review.seats):
        assert account.result == (match.returns()[seat], match.scores()[seat])
        parts = (account.luck, account.own, account.others, account.unexplained)
        assert tuple(sum(parts, account.start)) == figures(account.result)
        assert tuple(account.adjusted + account.luck) == figures(account.result)
        own = [each for each in review.decisions if each.seat == seat]
        lost = sum((each.loss for each in own), Worth(0.0, 0.0))
        assert tuple(lost + account.own) == figures(Worth(0.0, 0.0))
        assert account.accuracy is None or 0 <= account.accuracy <= 100
        assert list(account.verdicts) == list(VERDICTS)
    for row in review.worth:
        assert row is not None
        assert sum(worth.win for worth in row) == pytest.approx(0.0, abs=1e-6)


@every_game
def test_the_json_has_the_names_of_the_face(key: str, options: dict[str, Any]) -> None:
    told = json.loads(json.dumps(glanced(random_match(key, 4, **options)).as_json()))
    assert {"decisions", "chances", "worth", "seats", "judge", "care", "seed"} <= set(told)
    decision = told["decisions"][0]
    assert list(decision) == [
        *("ply", "seat", "move", "best", "loss", "error", "verdict", "exact", "forced", "options")
    ]
    assert set(decision["loss"]) == set(decision["error"]) == {"win", "points"}
    assert decision["move"] in [option["move"] for option in decision["options"]]
    assert all(set(option["worth"]) == {"win", "points"} for option in decision["options"])
    assert all(set(each["luck"][0]) == {"win", "points"} for each in told["chances"])
    assert {"start", "luck", "own", "others", "unexplained", "result", "adjusted"} <= set(
        told["seats"][0]
    )


def test_the_same_seed_gives_the_same_review_on_one_core_and_on_two() -> None:
    match = random_match("carnac", 5, board="small")
    alone = glanced(match).as_json()
    with Processes(2) as pool:
        work = plan_review(match, JUDGE, None, GLANCE, 0)
        assert make_review(work, pool=pool).as_json() == alone
    assert glanced(match.copy(), seed=1).as_json() != alone


def test_a_record_is_reviewed_like_its_match_and_told_as_it_grows() -> None:
    match = random_match("connect_four", 1)
    grown: list[Review] = []
    review = kwartet.review(match.record(), care="quick", progress=grown.append)
    assert [each.done for each in grown] == list(range(match.ply + 1))
    assert all(row is not None for row in grown[0].worth)  # a first graph, before any decision
    assert review.as_json() == kwartet.review(match, "expert", care="quick").as_json()


@pytest.mark.parametrize(("key", "options"), [("carnac", {"board": "small"}), ("connect_four", {})])
def test_what_came_before_a_ply_is_left_out_of_a_review_since_then(
    key: str, options: dict[str, Any]
) -> None:
    match = random_match(key, 5, **options)
    whole, since = glanced(match), match.ply // 2
    review = glanced(match, since=since)
    assert review.decisions == [each for each in whole.decisions if each.ply >= since]
    assert review.chances == [each for each in whole.chances if each.ply >= since]
    assert review.worth == [None] * since + whole.worth[since:]
    assert (review.done, review.is_done) == (match.ply - since, True)
    assert review.decided == review.decisions_total == len(review.decisions)
    for account in review.seats:
        assert account.start == whole.worth[since][account.seat]  # type: ignore[index]
        parts = (account.luck, account.own, account.others, account.unexplained)
        assert tuple(sum(parts, account.start)) == figures(account.result)
    plans = [plan_review(match, JUDGE, None, GLANCE, 0, since=ply).plan for ply in (0, since)]
    assert plans[0].digest != plans[1].digest


def test_only_the_seats_that_were_asked_about_are_judged() -> None:
    match = random_match("carat", 2, players=2)
    review = glanced(match, seats=[1])
    assert {each.seat for each in review.decisions} == {1}
    (account,) = review.seats
    assert account.seat == 1
    parts = (account.luck, account.own, account.others, account.unexplained)
    assert tuple(sum(parts, account.start)) == figures(account.result)


# Matches that were broken off --------------------------------------------------------------


@every_game
def test_a_match_that_was_broken_off_is_worth_what_could_be_expected_at_last(
    key: str, options: dict[str, Any]
) -> None:
    match = begun(key, 12, **options)
    grown: list[Review] = []
    review = make_review(
        plan_review(match, JUDGE, None, GLANCE, 0, ended=True), progress=grown.append
    )
    assert not review.ended
    assert review.is_done
    assert review.as_json()["ended"] is False
    assert len(review.worth) == match.ply + 1
    assert {each.ply for each in review.decisions} | {each.ply for each in review.chances} == set(
        range(match.ply)
    )
    for seat, account in enumerate(review.seats):
        last = review.worth[-1]
        assert last is not None
        assert account.result == last[seat]
        parts = (account.luck, account.own, account.others, account.unexplained)
        assert tuple(sum(parts, account.start)) == figures(account.result)
    assert review.decided == review.decisions_total == len(review.decisions)
    assert grown[0].worth[-1] is not None  # the first graph goes to its end
    assert grown[0].decided == 0
    assert grown[0].decisions_total == review.decisions_total


def test_the_last_position_of_a_match_that_was_broken_off_is_exact_where_it_can_be() -> None:
    match = random_match("carnac", 11, board="small")
    care = replace(GLANCE, nodes=50_000)
    whole = glanced(match, care=care)
    exact = [each.ply for each in whole.decisions if each.exact]
    broken = kwartet.replay(match.record(), ply=exact[1])
    review = make_review(plan_review(broken, JUDGE, None, care, 0, ended=True))
    assert review.worth[-1] == whole.worth[exact[1]]


@pytest.mark.parametrize("reason", ["resigned", "time", "agreed", "dropped"])
def test_a_record_says_by_its_result_that_it_was_broken_off(reason: str) -> None:
    record = begun("connect_four", 6).record()
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.review(record, care=GLANCE)
    assert refusal.value.code == "not-over"
    review = kwartet.review(record | {"result": {"reason": reason}}, care=GLANCE)
    assert not review.ended
    assert review.is_done


@pytest.mark.parametrize("result", [None, 7, "resigned", [], {}, {"reason": "played"}])
def test_a_record_of_a_running_match_is_refused_whatever_else_it_says(result: Any) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.review(begun("connect_four", 6).record() | {"result": result}, care=GLANCE)
    assert refusal.value.code == "not-over"


@pytest.mark.parametrize("key", ["carnac", "carat"])  # with a lay-out, and with nothing at all
def test_a_match_in_which_nobody_moved_is_a_sentence(key: str) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        plan_review(kwartet.new(key, seed=1), JUDGE, None, GLANCE, 0, ended=True)
    assert refusal.value.code == "not-started"


# Another move ------------------------------------------------------------------------------


@every_game
def test_the_move_that_was_played_is_judged_as_in_the_review(
    key: str, options: dict[str, Any]
) -> None:
    work = plan_review(random_match(key, 5, **options), JUDGE, None, GLANCE, 0)
    for each in make_review(work).decisions[2::11]:
        assert judge_move(work.plan, each.ply, each.move) == each


def test_another_move_is_judged_against_the_same_best() -> None:
    match = random_match("carnac", 5, board="small")
    work = plan_review(match, JUDGE, None, replace(GLANCE, nodes=50_000), 0)
    review = make_review(work)
    for each in (review.decisions[4], review.decisions[-2]):
        legal = kwartet.replay(match.record(), ply=each.ply).legal()
        judged = [judge_move(work.plan, each.ply, move) for move in legal]
        assert [other.move for other in judged] == legal
        weighed = {option.move: option.worth for option in each.options}
        for other in judged:
            if each.exact or other.move in weighed:
                assert other.exact == each.exact
                worth = {option.move: option.worth for option in other.options}
                assert worth[other.best] - other.loss == worth[other.move]
        if not each.exact:
            assert {other.best for other in judged} == {each.best}
        assert next(other for other in judged if other.move == each.best).loss == (0.0, 0.0)


@pytest.mark.parametrize(
    ("ply", "move", "code"),
    [
        (-1, "c3=5GBRY", "unknown-ply"),
        (73, "c3=5GBRY", "unknown-ply"),
        (True, "c3=5GBRY", "unknown-ply"),
        ("9", "c3=5GBRY", "unknown-ply"),
        (0, "*chips 1", "unknown-ply"),
        (3, "", "bad-notation"),
        (3, "nonsense" * 999, "bad-notation"),
        (3, "*5RYGB", "illegal-move"),
        (3, "a1=5GBRY", "illegal-move"),
        (3, None, "bad-notation"),
    ],
)
def test_a_move_that_cannot_be_judged_is_a_sentence(ply: Any, move: Any, code: str) -> None:
    work = plan_review(random_match("carat", 2, players=2), JUDGE, None, GLANCE, 0)
    with pytest.raises(kwartet.GameError) as refusal:
        judge_move(work.plan, ply, move)
    assert refusal.value.code == code
    assert len(refusal.value.sentence) < 400


# Decisions ---------------------------------------------------------------------------------


def test_a_forced_move_has_no_loss_and_is_no_choice() -> None:
    match = random_match("kwatro", 6)
    story = Story.of(match)
    forced = [
        ply
        for ply in range(match.ply)
        if not story.is_chance(ply) and len(story.legal_actions(ply)) == 1
    ]
    assert forced
    review = glanced(match)
    judged = {each.ply: each for each in review.decisions}
    assert all(judged[ply].loss == (0.0, 0.0) for ply in forced)
    assert all(judged[ply].verdict == "best" for ply in forced)
    assert [ply for ply, each in judged.items() if each.forced] == forced
    counted = sum(sum(account.verdicts.values()) for account in review.seats)
    assert counted == len(judged) - len(forced)


def test_the_move_that_the_judge_chose_has_no_loss() -> None:
    review = glanced(random_match("carnac", 8, board="small"))
    for each in review.decisions:
        if each.move == each.best:
            assert each.loss == (0.0, 0.0)
            assert each.verdict == "best"


@pytest.mark.parametrize("key", ["carat", "kwatro"])
def test_a_judgement_does_not_depend_on_what_the_seat_could_not_know(key: str) -> None:
    match = kwartet.new(key, players=3, seed=9)
    luck = random.Random(1)
    different = 0
    for _ in range(4):
        for _ in range(4):
            match.play(luck.choice(match.legal_actions()))
        seat, action = match.actor, luck.choice(match.legal_actions())
        assert seat is not None
        judge = find_judge(JUDGE, match.game, match.options)
        found = []
        for world in (match.state, *(match.determinized(seat, seed) for seed in range(3))):
            story = Story(match.game, match.seats, world, ((action,),), ("",))
            found.append(Decisions(story, judge, GLANCE, 5).find(0))
            different += world.tobytes() != match.state.tobytes()
        assert found == [found[0]] * 4
    assert different > 6


@pytest.mark.parametrize(
    ("loss", "error", "is_best", "word"),
    [
        (0.0, 0.0, True, "best"),
        (0.7, 0.1, True, "best"),
        (-0.1, 0.2, False, "best"),
        (0.1, 0.0, False, "fine"),
        (0.5, 0.3, False, "fine"),  # not more than two errors
        (0.5, 0.1, False, "slip"),
        (1.0, 0.1, False, "mistake"),
        (9.0, 0.1, False, "blunder"),
    ],
)
def test_a_verdict_needs_a_loss_of_more_than_two_errors(
    loss: float, error: float, is_best: bool, word: str
) -> None:
    assert verdict(loss, error, is_best, (0.3, 1.0, 4.0)) == word


def test_accuracy_halves_with_every_mistake_that_a_decision_loses_on_average() -> None:
    bounds = Thresholds(win=(0.1, 0.2, 0.3), points=(1.0, 2.0, 3.0)).win
    assert accuracy([], bounds) is None
    assert accuracy([0.0, -0.1], bounds) == 100
    assert accuracy([0.0, 0.4], bounds) == pytest.approx(50)
    assert accuracy([0.4], bounds) == pytest.approx(25)


# Endings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "options", "plies"),
    [
        ("connect_four", {}, 9),
        ("carnac", {"board": "small"}, 4),
        ("carnac", {"board": "small", "final_tilt": True}, 3),
        ("carat", {"players": 2}, 2),
        ("carat", {"players": 4}, 2),
        ("kwatro", {"players": 2}, 3),
    ],
)
def test_endings_agree_with_trying_everything(
    key: str, options: dict[str, Any], plies: int
) -> None:
    solved = 0
    for seed in range(40):
        match = random_match(key, seed, **options)
        story = Story.of(match)
        endings = Endings(match.game, 100_000)
        for ply in range(max(0, match.ply - plies), match.ply):
            if story.is_chance(ply):
                continue
            seat, (played,) = story.actors[ply], story.moves[ply]
            wins = exact_values(match.game, story.states[ply], Settings(result=1.0), 50_000)
            if wins is None:
                continue
            found = endings.solve(story.redacted(ply), seat, match.seats, played)
            if found is None:
                continue
            best, before, after = found
            most = max(values[seat] for values in wins.values())
            assert before[seat, 0] == wins[best][seat] == most
            assert match.seats > 2 or after[seat, 0] == wins[played][seat]
            solved += 1
        if solved > 15:
            return
    pytest.fail(f"only {solved} endings were solved")


def test_an_ending_with_hidden_hands_or_chance_to_come_is_not_called_solved() -> None:
    tables: list[tuple[str, dict[str, Any]]] = [
        ("kwatro", {}),
        ("carat", {"players": 4}),
        ("catan_dice", {"players": 2}),
    ]
    for key, options in tables:
        match = kwartet.new(key, seed=1, **options)
        played = match.legal_actions()[0]
        seat = match.actor or 0
        endings = Endings(match.game, 10**9)
        assert endings.solve(match.redacted(seat), seat, match.seats, played) is None


def test_an_account_is_exact_where_the_rest_of_a_match_is_proved() -> None:
    match = random_match("carnac", 11, board="small")
    review = glanced(match, care=replace(GLANCE, nodes=50_000))
    exact = [each for each in review.decisions if each.exact]
    assert len(exact) >= 3
    assert [each.ply for each in exact] == list(range(exact[0].ply, match.ply))
    rows = review.worth[exact[0].ply :]
    for before, after, each in zip(rows, rows[1:], exact, strict=False):
        assert before is not None
        assert after is not None
        assert before[each.seat].win - each.loss.win == after[each.seat].win
        assert before[each.seat].points - each.loss.points == after[each.seat].points


# Bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"judge": "nobody"}, "unknown-bot"),
        ({"judge": 7}, "unknown-bot"),
        ({"judge": "random"}, "bad-bot"),
        ({"judge": "novice"}, "bad-bot"),
        ({"judge": "expert@0.1s"}, "bad-bot"),
        ({"judge": "os:system"}, "bad-bot"),
        ({"care": "great"}, "bad-option"),
        ({"seats": [2]}, "unknown-seat"),
        ({"seats": [True]}, "unknown-seat"),
        ({"seats": "01"}, "unknown-seat"),
        ({"seats": 2.5}, "unknown-seat"),
        ({"seed": "x"}, "bad-seed"),
        ({"seed": True}, "bad-seed"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(how: dict[str, Any], code: str) -> None:
    match = random_match("connect_four", 1)
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.review(match, **how)
    assert refusal.value.code == code
    assert refusal.value.sentence.endswith(".")


def test_a_match_that_is_not_over_or_was_set_up_cannot_be_reviewed() -> None:
    running = kwartet.new("connect_four")
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.review(running)
    assert refusal.value.code == "not-over"
    over = random_match("connect_four", 1)
    over.set_up(over.state)
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.review(over)
    assert refusal.value.code == "no-record"


@pytest.mark.parametrize("wrong", [None, [], "x", {}, {"kwartet": 1}, {"kwartet": 2}])
def test_a_record_that_is_none_is_a_sentence(wrong: Any) -> None:
    with pytest.raises(kwartet.GameError) as refusal:
        kwartet.review(wrong)
    assert refusal.value.code == "bad-record"


# Keeping and showing -----------------------------------------------------------------------


def test_a_review_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    match = random_match("carnac", 12, board="small")
    work = plan_review(match, JUDGE, None, GLANCE, 0)
    with Keeping(work, tmp_path) as kept:
        for found in work.run(pool=_First(5)):
            kept.add(found)
    (file,) = tmp_path.glob("*.jsonl")
    file.write_bytes(file.read_bytes() + b'{"ply": 5, "torn')
    again = plan_review(match, JUDGE, None, GLANCE, 0)
    with Keeping(again, tmp_path):
        assert sorted(again.findings) == list(range(5))
        with (
            pytest.raises(kwartet.GameError, match="Another process"),
            Keeping(plan_review(match, JUDGE, None, GLANCE, 0), tmp_path),
        ):
            pass
    assert again.findings == work.findings
    assert make_review(again).as_json() == glanced(match).as_json()
    other = plan_review(match, JUDGE, None, GLANCE, 1)
    with Keeping(other, tmp_path):
        assert not other.findings


class _First(Inline):
    """A pool that is broken off after a few items."""

    def __init__(self, count: int) -> None:
        self._count = count

    def map(self, function: Any, items: Any) -> Any:
        for item in list(items)[: self._count]:
            yield item, function(item)


def test_the_graph_is_svg_with_a_line_for_each_seat() -> None:
    from xml.etree import ElementTree

    review = glanced(random_match("carat", 2, players=3))
    picture = ElementTree.fromstring(draw(review))
    paths = [each for each in picture.iter() if each.get("stroke-width") == "2"]
    assert len(paths) == 3
    assert len([each for each in picture.iter() if each.tag.endswith("circle")]) == len(
        review.chances
    )


def test_a_care_may_be_ones_own() -> None:
    assert isinstance(GLANCE, Care)
    match = random_match("connect_four", 3)
    assert kwartet.review(match, care=GLANCE).as_json()["care"] == "glance"


def test_the_example_in_the_docs_reviews_a_match() -> None:
    page = (Path(__file__).parents[1] / "docs/review.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.S)
    names: dict[str, Any] = {}
    exec(compile(block, "review.md", "exec"), names)
    assert names["review"].is_done
    for care in CARES.values():
        row = f"| `{care.name}` | {care.effort:g} | {care.searches} | × {care.screening} | "
        assert row + f"{care.outcomes} | 2 × {care.rolls:,} | {care.nodes:,} |" in page


def near_the_end() -> list[Any]:
    """What is found out about the last plies of a match, as JSON."""
    options = {"players": 3}
    story = Story.of(random_match("carat", 5, **options))
    judge = find_judge("expert@20", story.game, story.game.settle(options))
    care = replace(GLANCE, searches=2, screening=1, effort=0.0, rolls=4, nodes=100)
    decisions, chances = (kind(story, judge, care, 0) for kind in (Decisions, Chances))
    plies = range(len(story.moves))
    decided = [ply for ply in plies if not story.is_chance(ply)]
    drawn = chances.find(max(ply for ply in plies if story.is_chance(ply)))
    return [each.as_json() for each in (drawn, *map(decisions.find, decided[-3:]))]


def test_the_same_is_found_without_the_jit() -> None:
    assert without_jit(__name__, "near_the_end()") == json.loads(json.dumps(near_the_end()))
