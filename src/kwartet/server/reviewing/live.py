"""The socket of a review: who follows it is told what is new, when the socket can take it."""

import asyncio
import time
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket

from kwartet.core.errors import GameError
from kwartet.games import find
from kwartet.server import afterwards as a
from kwartet.server import messages as m
from kwartet.server.conduct.scene import Person
from kwartet.server.errors import refusal
from kwartet.server.house import House
from kwartet.server.reviewing.job import Job, Reader
from kwartet.server.reviewing.telling import before_rules
from kwartet.server.sockets import admitted, ended, received, refuse
from kwartet.server.table import Table

PAUSE: Final = 0.4  # seconds between two messages: what comes meanwhile is told at once
WAIT: Final = 0.5  # seconds between two looks at rules that are being compiled

_decode: Any = msgspec.json.Decoder(a.ToReviewer).decode


async def review(socket: WebSocket) -> None:
    """`/api/tables/{table}/review/live`: the review of a match that is over, as it is made."""
    async with admitted(socket) as visit:
        if not visit:
            return
        house, person = visit
        try:
            table = await house.hall.table(socket.path_params["table"])
            check_over(table)
        except GameError as error:
            await refuse(socket, error)
            return
        await Following(socket, house, person, table).run()


async def review_now(house: House, table: Table) -> bytes:
    """The review as far as it is, encoded; nothing is begun."""
    check_over(table)
    if (preparing := house.hall.readiness.progress(table.story.created.game)) is not None:
        return m.encode(_unready(table, None, preparing))
    await _have_match(table)
    return await house.reviews.message(await house.reviews.best_known(table), Reader(None))


def check_over(table: Table) -> None:
    """GameError unless the table's match can be reviewed, or will be once its rules are ready."""
    try:
        table.finished()
    except GameError as error:
        if error.code != "preparing":
            raise


async def _have_match(table: Table) -> None:
    """Rules that have just become ready may not have reached the table yet."""
    if table.match is None:
        await table.ready()


def _unready(table: Table, asked: a.CareName | None, preparing: m.Preparing) -> a.ReviewMessage:
    game = find(table.story.created.game)
    return before_rules(table.story, game, asked or "normal", preparing, asked=bool(asked))


class Following:
    """One socket that follows one match's review."""

    def __init__(
        self, socket: WebSocket, house: House, person: Person | None, table: Table
    ) -> None:
        self._socket, self._house, self._person, self._table = socket, house, person, table
        self._reader = Reader(person.id if person else None)
        self._job: Job | None = None
        self._asked: a.CareName | None = None
        self._has_begun = False  # until then what is asked waits
        self._trouble: GameError | None = None  # that was told

    async def run(self) -> None:
        """Tell and obey until the socket closes."""
        tasks = [asyncio.create_task(work) for work in (self._tell(), self._hear())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await ended(*tasks)
            if self._job:
                self._house.reviews.leave(self._job, self._reader)

    # Telling ------------------------------------------------------------------------------

    async def _tell(self) -> None:
        try:
            await self._begin()
        except GameError as error:
            await refuse(self._socket, error)
            return
        while True:
            await self._reader.changed.wait()
            self._reader.changed.clear()
            job = self._job
            assert job
            await self._send_text(await self._house.reviews.message(job, self._reader))
            if job.trouble and job.trouble is not self._trouble:
                self._trouble = job.trouble
                await self._send(refusal(job.trouble))
            await asyncio.sleep(PAUSE)

    async def _begin(self) -> None:
        """Follow what there is, once the rules are there; then do what was asked meanwhile."""
        await self._wait_for_rules()
        self._follow(await self._house.reviews.best_known(self._table))
        self._has_begun = True
        if self._asked:
            try:
                await self._ask(self._asked)
            except GameError as error:
                await self._send(refusal(error))

    async def _wait_for_rules(self) -> None:
        """Say what is being compiled for as long as it takes."""
        readiness, game = self._house.hall.readiness, self._table.story.created.game
        before = None
        while (preparing := readiness.progress(game)) is not None:
            now = _unready(self._table, self._asked, preparing)
            if now != before:
                await self._send(now)
                before = now
            await asyncio.sleep(WAIT)
        await _have_match(self._table)

    def _follow(self, job: Job) -> None:
        """Follow this review, and no other any more."""
        if job is not self._job:
            if self._job:
                self._house.reviews.leave(self._job, self._reader, at_once=True)
            self._job = job
            job.readers.add(self._reader)
            self._house.reviews.resume(job, self._reader)
        self._reader.forget()

    async def _ask(self, care: a.CareName) -> None:
        assert self._person
        job = await self._house.reviews.job(self._table, care)
        self._follow(job)
        self._house.reviews.ask(self._person, job, self._reader)

    async def _send(self, message: Any) -> None:
        await self._send_text(m.encode(message))

    async def _send_text(self, text: bytes) -> None:
        await self._socket.send_text(text.decode())

    # Hearing ------------------------------------------------------------------------------

    async def _hear(self) -> None:
        while True:
            text = await received(self._socket, self._house, self._person)
            answer: m.Pong | m.Refused | None
            try:
                answer = await self._obey(_decode(text))
            except Exception as error:  # whatever it is, it is answered
                answer = refusal(error)
            if answer:
                await self._send(answer)

    async def _obey(self, wish: Any) -> m.Pong | None:
        if isinstance(wish, a.ReviewPing):
            return m.Pong(time.time())
        if self._person is None:
            raise GameError("no-identity", "Open the page first, so that we know who you are.")
        reviews, job = self._house.reviews, self._job
        match wish:
            case a.AskReview(care=care):
                self._asked = care
                if self._has_begun:
                    await self._ask(care)
            case a.LookNext(ply=ply):
                if job is None:
                    raise GameError("preparing", "The rules are still being compiled.")
                job.put_first(ply)
            case a.StopReview():
                self._asked = None
                if job:
                    reviews.leave(job, self._reader, at_once=True)
                    job.readers.add(self._reader)
                    job.tell()
        return None
