"""`kwartet games`: what can be played, with which options."""

from rich.table import Table

import kwartet
from kwartet.cli.terminal import AsJson, console, print_json
from kwartet.core.game import option_value


def run(as_json: AsJson = False) -> None:
    """List the games with their options."""
    described = [kwartet.describe(key) for key in kwartet.GAMES]
    if as_json:
        print_json(described)
        return
    table = Table(show_lines=True)
    for heading in ("Key", "Game", "Seats", "Options, the default first"):
        table.add_column(heading)
    for game in described:
        seats = game["seats"]
        table.add_row(
            f"[bold]{game['key']}[/]",
            f"{game['title']}\n[dim]{game['credit']}[/]\n{game['summary']}",
            f"{seats[0]}–{seats[-1]}" if len(seats) > 1 else str(seats[0]),
            "\n".join(_option_line(option) for option in game["options"]) or "none",
        )
    console.print(table)


def _option_line(option: dict[str, object]) -> str:
    choices = option["choices"]
    assert isinstance(choices, list)
    ordered = sorted(choices, key=lambda choice: choice != option["default"])
    values = " | ".join(option_value(choice) for choice in ordered or [option["default"]])
    name = f"[bold]{option['name']}[/]={values}"
    return f"{name}\n  [dim]{option['summary']}[/]"
