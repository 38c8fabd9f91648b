"""What can be counted, in the form that Prometheus reads."""

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from kwartet.server.budgets import KINDS

if TYPE_CHECKING:
    from kwartet.server.reviewing import Reviews
    from kwartet.server.thinkers import Thinkers

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
