"""Who needs which command, with examples: for `--help` and the manual page alike."""

from typing import Any, Final

PLAYERS, RESEARCHERS, HOSTS, AUTHORS = (
    "To play",
    "To research, and to write bots",
    "To host a server",
    "To write games, and to measure",
)
COMMANDS: Final[dict[str, dict[str, tuple[str, ...]]]] = {  # by group, with their examples
    PLAYERS: {
        "play": (
            "kwartet play carnac --bot expert",
            "kwartet play kwatro --people 2 --name Ann --name Bob",
            "kwartet play http://localhost:8484/table/ID",
            "kwartet play --resume",
        ),
        "watch": ("kwartet watch http://localhost:8484/table/ID",),
        "games": ("kwartet games",),
        "replay": ("kwartet replay match.json --review", "kwartet replay records.jsonl --check"),
        "review": ("kwartet review match.json --care quick",),
        "sheet": ("kwartet sheet records.jsonl --match 2 --language de",),
        "draw": ("kwartet draw match.json --ply 12 --out board.png",),
        "film": ("kwartet film match.json --seconds 2",),
        "verify": ("kwartet verify records.jsonl",),
    },
    RESEARCHERS: {
        "simulate": ("kwartet simulate carat --games 1000 --seed 7 --out records.jsonl",),
        "arena": ("kwartet arena carnac --bots casual,skilled,mine:Tallest --games 200",),
        "train": ("kwartet train kwatro --rounds 3 --workers 8",),
        "dataset": ("kwartet dataset carnac --games 500 --format parquet",),
        "bot": ("kwartet bot carnac --level master",),
        "solve": ("kwartet solve catan_dice",),
    },
    HOSTS: {
        "serve": ("kwartet serve --port 8484",),
        "db": ("kwartet db backup copy.db",),
        "db upgrade": ("kwartet db upgrade --database postgresql://kwartet@localhost/kwartet",),
        "db backup": ("kwartet db backup copy.db --force",),
        "db restore": (
            "kwartet db restore copy.db",
            "kwartet db restore copy.db --database postgresql://kwartet@localhost/kwartet",
        ),
        "db copy": (
            "kwartet db copy sqlite:////var/lib/kwartet/kwartet.db "
            "postgresql://kwartet@localhost/kwartet",
            "kwartet db copy postgresql://kwartet@localhost/kwartet sqlite:///kwartet.db",
        ),
        "db check": ("kwartet db check",),
        "db export": ("kwartet db export records.jsonl",),
        "admin": ("kwartet admin reports",),
        "admin ban": ("kwartet admin ban 203.0.113.0/24 --for 7d --reason spam",),
        "admin unban": ("kwartet admin unban 203.0.113.0/24",),
        "admin bans": ("kwartet admin bans",),
        "admin close": ("kwartet admin close TABLE",),
        "admin delete-line": ("kwartet admin delete-line TABLE 12",),
        "admin hide-name": ("kwartet admin hide-name PLAYER",),
        "admin reports": ("kwartet admin reports --done",),
        "admin show": ("kwartet admin show REPORT",),
        "admin done": ("kwartet admin done REPORT",),
    },
    AUTHORS: {
        "perft": ("kwartet --with examples.connect_four perft connect_four --depth 6",),
        "bench": ("kwartet bench carnac --seconds 1",),
        "warmup": ("kwartet warmup",),
        "manual": ("kwartet manual > kwartet.1",),
    },
}


def group_of(command: str) -> str:
    """Who needs a command."""
    return next(group for group, commands in COMMANDS.items() if command in commands)


def examples(command: str) -> tuple[str, ...]:
    """How a command is used."""
    return COMMANDS[group_of(command)][command]


def epilog(command: str) -> str:
    """The examples below a command's help."""
    shown = examples(command)
    title = "Example" if len(shown) == 1 else "Examples"
    return "\n\n".join([f"{title}:", *(f"`{line}`" for line in shown)])


def give_examples(name: str, app: Any) -> None:
    """Put the examples below the help of a group's commands."""
    for each in app.registered_commands:
        word = each.name or each.callback.__name__.replace("_", "-")
        each.epilog = epilog(f"{name} {word}")
