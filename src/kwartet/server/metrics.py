"""What can be counted, in the form that Prometheus reads."""

import asyncio
from functools import cache
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from kwartet.server.budgets import KINDS
from kwartet.server.condition import Condition
from kwartet.server.watching import KINDS as KINDS_TOLD

if TYPE_CHECKING:
    from kwartet.server.reviewing import Reviews
    from kwartet.server.thinkers import Thinkers
    from kwartet.server.watching import Told
    from kwartet.store import Store

LOOK = 0.25  # seconds between two looks at the event loop
CHANGES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
PLY_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "kwartet_requests", "Answered requests", ["route", "status"], registry=self.registry
        )
        self.commands = Counter(
            "kwartet_commands", "Commands at tables", ["type", "code"], registry=self.registry
        )
        self.command_seconds = Histogram(
            "kwartet_command_seconds",
            "From a command's arrival to its answer",
            ["type"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self.sockets = Gauge("kwartet_sockets", "Open sockets", registry=self.registry)
        self.tables = Gauge("kwartet_tables", "Tables in memory", registry=self.registry)
        self.bots_waiting = Gauge(
            "kwartet_bots_waiting", "Tables whose bot thinks or waits to", registry=self.registry
        )
        self.bot_turns = Gauge("kwartet_bot_turns", "Decisions of bots", registry=self.registry)
        self.thinking = Gauge(
            "kwartet_thinking_waiting",
            "Turns of bots and hints that wait, by whose budget it is",
            ["budget"],
            registry=self.registry,
        )
        self.thinking_seconds = Gauge(
            "kwartet_thinking_seconds", "Thought so far", ["kind"], registry=self.registry
        )
        self.workers = Gauge(
            "kwartet_workers", "Processes that think", ["pool"], registry=self.registry
        )
        self.workers_lost = Gauge(
            "kwartet_workers_lost",
            "Processes that ended before their time",
            ["pool"],
            registry=self.registry,
        )
        self.reviews = Gauge(
            "kwartet_reviews", "Reviews that somebody wants", ["state"], registry=self.registry
        )
        self.reviews_done = Counter(
            "kwartet_reviews_done", "Reviews made to their end", registry=self.registry
        )
        self.review_seconds = Histogram(
            "kwartet_review_ply_seconds",
            "For one ply of a review",
            buckets=PLY_SECONDS,
            registry=self.registry,
        )
        self.commits = Gauge("kwartet_commits", "Transactions made durable", registry=self.registry)
        self.round_trips = Gauge(
            "kwartet_round_trips", "Questions to PostgreSQL by the writer", registry=self.registry
        )
        self.waiting = Gauge(
            "kwartet_changes_waiting", "Changes that are not durable yet", registry=self.registry
        )
        self.commit_seconds = Histogram(
            "kwartet_commit_seconds", "For a transaction", buckets=SECONDS, registry=self.registry
        )
        self.commit_changes = Histogram(
            "kwartet_commit_changes",
            "Changes in a transaction",
            buckets=CHANGES,
            registry=self.registry,
        )
        self.loop_lag = Histogram(
            "kwartet_loop_lag_seconds",
            "By how much the event loop is late",
            buckets=SECONDS,
            registry=self.registry,
        )
        self.clock_silence = Gauge(
            "kwartet_clock_silence_seconds",
            "Since the house clock last beat",
            registry=self.registry,
        )
        self.told = Gauge(
            "kwartet_table_messages", "Messages to watchers", ["kind"], registry=self.registry
        )
        self.told_bytes = Gauge(
            "kwartet_table_message_bytes", "Size of these", ["kind"], registry=self.registry
        )
        self.condition = Condition(self.registry)
        # Looking for a counter by its labels takes longer than counting.
        self._commands = cache(self.commands.labels)
        self._command_seconds = cache(self.command_seconds.labels)

    def obeyed(self, kind: str, code: str, seconds: float) -> None:
        """A command was answered."""
        self._commands(kind, code).inc()
        self._command_seconds(kind).observe(seconds)

    def count_writing(self, store: "Store") -> None:
        """Bring what is told of the writer up to date."""
        self.commits.set(store.commits)
        self.round_trips.set(store.round_trips)
        self.waiting.set(store.waiting)

    def count_telling(self, told: "Told") -> None:
        """Bring what is told of messages to watchers up to date."""
        for kind in KINDS_TOLD:
            self.told.labels(kind).set(told.messages[kind])
            self.told_bytes.labels(kind).set(told.bytes[kind])

    def committed(self, changes: int, seconds: float) -> None:
        """A transaction was made durable."""
        self.commit_seconds.observe(seconds)
        self.commit_changes.observe(changes)

    async def watch_loop(self) -> None:
        """Look again and again how late the event loop is; never ends."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOK
            await asyncio.sleep(LOOK)
            self.loop_lag.observe(max(0.0, loop.time() - due))

    def count_thinking(self, thinkers: "Thinkers", reviews: "Reviews") -> None:
        """Bring what is told of bots and hints up to date."""
        self.bots_waiting.set(thinkers.busy)
        self.bot_turns.set(thinkers.turns)
        for budget, waiting in thinkers.waiting.items():
            self.thinking.labels(budget).set(waiting)
        for kind in KINDS:
            self.thinking_seconds.labels(kind).set(thinkers.budgets.seconds[kind])
        for pool, workers in (("bots", thinkers.workers), ("reviews", reviews.workers)):
            self.workers.labels(pool).set(workers.alive)
            self.workers_lost.labels(pool).set(workers.lost)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)
