"""Other moves tried at decisions of matches that are over, on the server."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from kwartet.core.errors import GameError
from kwartet.reviews import judge_move, plan_review
from kwartet.server import afterwards as a
from kwartet.server.conduct.scene import Person
from kwartet.server.reviewing.job import Reader
from tests.following import sent
from tests.houses import answered, house_of, is_ready
from tests.planting import at_random, database, plant
from tests.serving import Json, Server, eventually, on_a_loop, visiting


@on_a_loop
async def test_another_move_is_judged_as_the_library_does(sqlite_server: Server) -> None:
    match = at_random("connect_four", 8)
    table = await plant(database(sqlite_server), match)
    plan = plan_review(match, "expert", None, "quick", 0).plan
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest()
        for ply, move in ((2, "d"), (5, "c")):
            told = await eve.post(f"/api/tables/{table}/try", ply=ply, move=move, care="quick")
            judged = judge_move(plan, ply, move)
            assert told["loss"] == judged.loss._asdict()
            assert told["error"] == judged.error._asdict()
            assert (told["verdict"], told["exact"]) == (judged.verdict, judged.exact)
            (reason,) = {option.reason for option in judged.options if option.move == move}
            assert told["reason"] == sent(reason)
        assert (await eve.get(f"/api/tables/{table}/review"))["state"] == "none"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"ply": 2, "move": "z"}, "bad-notation"),
        ({"ply": 999, "move": "a"}, "unknown-ply"),
        ({"ply": -1, "move": "a"}, "bad-request"),
        ({"ply": 2, "move": "a" * 5000}, "bad-request"),
        ({"ply": 2, "move": "a", "care": "perfect"}, "bad-request"),
        ({"ply": 2}, "bad-request"),
    ],
)
@on_a_loop
async def test_what_cannot_be_tried_is_refused(
    sqlite_server: Server, wish: Json, code: str
) -> None:
    table = await plant(database(sqlite_server), at_random("connect_four", 9))
    async with visiting(sqlite_server) as visit:
        told = await (await visit.guest()).post(f"/api/tables/{table}/try", **wish)
        assert told["code"] == code


@on_a_loop
async def test_one_tries_one_move_at_a_time(sqlite_server: Server) -> None:
    table = await plant(database(sqlite_server), at_random("carnac", 9, 8), "resigned")
    async with visiting(sqlite_server) as visit:
        eve = await visit.guest()
        legal = (await eve.get(f"/api/tables/{table}/position?ply=3"))["legal"]
        answers = await asyncio.gather(
            *(
                eve.post(f"/api/tables/{table}/try", ply=3, move=move, care="normal")
                for move in legal[:3]
            )
        )
        assert sorted(answer.get("code", "judged") for answer in answers) == [
            "judged",
            "too-many",
            "too-many",
        ]


@on_a_loop
async def test_reviews_go_on_while_people_try_moves(tmp_path: Path) -> None:
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", at_random("connect_four", 2))
    async with house_of(tmp_path, 1) as house:
        await eventually(partial(is_ready, house))
        reviews, table = house.reviews, await house.hall.table(key)
        job, reader = await reviews.job(table, "quick"), Reader("ann")
        job.readers.add(reader)
        reviews.ask(Person("ann", "Ann"), job, reader)
        await eventually(lambda: answered(job.arrived))
        before = len(job.arrived)
        people = [Person(f"p{number}", "P") for number in range(6)]
        await asyncio.gather(
            *(reviews.try_move(person, table, a.Try(2, "a", "quick")) for person in people)
        )
        assert len(job.arrived) >= before + 5


@on_a_loop
async def test_a_move_is_tried_with_great_care_only_where_a_review_is_made_so(
    tmp_path: Path,
) -> None:
    key = await plant(f"sqlite:///{tmp_path}/kwartet.db", at_random("connect_four", 2))
    ann, reader, wish = Person("ann", "Ann"), Reader("ann"), a.Try(2, "a", "thorough")
    async with house_of(tmp_path, 1) as house:
        await eventually(partial(is_ready, house))
        reviews, table = house.reviews, await house.hall.table(key)
        with pytest.raises(GameError, match="as careful"):
            await reviews.try_move(ann, table, wish)
        job = await reviews.job(table, "thorough")
        job.readers.add(reader)
        reviews.ask(ann, job, reader)

        async def is_tried() -> bool:
            try:
                return (await reviews.try_move(ann, table, wish)).move == "a"
            except GameError as error:
                if error.code != "preparing":
                    raise
                return False

        await eventually(is_tried)
