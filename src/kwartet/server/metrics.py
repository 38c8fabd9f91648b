"""What can be counted, in the form that Prometheus reads."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

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

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)
