"""A match on the screen: scores, board, notes; or in sentences, where a screen is no help."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from kwartet.cli.playing.words import sides, with_names
from kwartet.cli.terminal import console, errors
from kwartet.core.errors import GameError

if TYPE_CHECKING:
    from kwartet.core.game import Game

BESIDE: Final = 24  # columns that notes beside a board need
ASKING: Final = 2  # rows that a question needs
SMALLEST: Final = (40, 12)  # columns and rows of a window that boards are drawn in


class Screen:
    """How this terminal shows matches of one game."""

    def __init__(self, game: "Game", names: Sequence[str], *, plain: bool) -> None:
        self.game = game
        self.names = names
        self.plain = plain

    def say(self, text: str, style: str = "", *, unbroken: bool = False) -> None:
        """A sentence, with names for seats; `unbroken` if it has something to copy."""
        shown = Text(with_names(text, self.names), style="" if self.plain else style)
        console.print(shown, soft_wrap=unbroken)

    def tell_line(self, text: str) -> None:
        """Something as it is, such as what somebody said."""
        if text:
            console.print(Text(text), soft_wrap=False)

    def refuse(self, error: GameError) -> None:
        """Why something was not done, on standard error."""
        code = (f"{error.code}: ", "" if self.plain else "bold red")
        sentence = with_names(error.sentence, self.names)
        errors.print(Text.assemble(code, sentence), soft_wrap=False)

    @contextmanager
    def busy(self, text: str) -> Iterator[None]:
        """While somebody thinks: something that moves, or a sentence."""
        if self.plain or not console.is_terminal:
            yield
            return
        with console.status(text):
            yield

    def clear(self) -> None:
        """An empty screen, and nothing to scroll back to."""
        if console.is_terminal and not console.is_dumb_terminal and not self.plain:
            console.clear()
            if not console.legacy_windows:
                console.file.write("\x1b[3J")

    def show(self, view: dict[str, Any], news: Sequence[str] = (), *, whole: bool = False) -> None:
        """The scores, the board as one watcher sees it, and what else there is to say."""
        if self.plain or not self._fits():
            self.show_spoken(view, news)
        else:
            self._draw(view, news, whole=whole)

    def standing(self, view: dict[str, Any]) -> str:
        """Who plays what and has how many points, as a sentence."""
        return f"{self.game.title}: {', '.join(self._scores(view))}."

    def _scores(self, view: dict[str, Any]) -> list[str]:
        colours = sides(self.game, view)
        who = [
            f"{name} ({colours[seat]})" if seat < len(colours) and colours[seat] else name
            for seat, name in enumerate(self.names)
        ]
        return [f"{name} {score}" for name, score in zip(who, view["scores"], strict=True)]

    def speak(self, view: dict[str, Any]) -> None:
        """The board in sentences."""
        for sentence in self._sentences(view):
            self.say(sentence)
        self.tell_notes(view)

    def tell(self, view: dict[str, Any], news: Sequence[str]) -> None:
        """All but the board."""
        self.say(self.standing(view))
        self.tell_notes(view)
        for sentence in news:
            self.tell_line(sentence)

    def tell_notes(self, view: dict[str, Any]) -> None:
        """What the board does not tell."""
        for note in self._notes(view):
            self.say(" ".join(note.plain.split()))

    def _sentences(self, view: dict[str, Any]) -> Sequence[str]:
        if self.game.screens:
            return self.game.screens.spoken(view)
        return _named_shapes(self.game, view) or self.game.views.text(view).splitlines()

    def _draw(self, view: dict[str, Any], news: Sequence[str], *, whole: bool) -> None:
        """The rest beside the board if there is room, else around it."""
        columns, rows = console.width, console.height
        rest = [*self._notes(view), *(Text(each, "dim") for each in news)]
        board = self._board(view, (1000, 1000) if whole else (columns, rows - ASKING))
        width = max(line.cell_len for line in board)
        if columns - width >= BESIDE + 2:
            scores = [Text(each, "bold") for each in self._scores(view)]
            beside = Text("\n").join([*scores, *rest])
            if len(beside.wrap(console, columns - width - 2)) <= max(rows - ASKING, len(board)):
                grid = Table.grid(padding=(0, 2, 0, 0))
                grid.add_column(width=width, no_wrap=True)
                grid.add_column(ratio=1)
                grid.add_row(Text("\n").join(board), beside)
                console.print(grid)
                return
        standing, below = Text(self.standing(view), "bold"), Text("\n").join(rest)
        taken = len(standing.wrap(console, columns)) + len(below.wrap(console, columns))
        if not whole:
            board = self._board(view, (columns, rows - ASKING - taken))
        if max(line.cell_len for line in board) > columns and not whole:
            self.say(f"The board does not fit into {columns} columns.")
            self.show_spoken(view, news)
            return
        console.print(Text("\n").join([standing, *board, *rest]), soft_wrap=False)

    def show_spoken(self, view: dict[str, Any], news: Sequence[str]) -> None:
        """The same in sentences."""
        self.say(self.standing(view))
        self.speak(view)
        for sentence in news:
            self.tell_line(sentence)

    def _board(self, view: dict[str, Any], room: tuple[int, int]) -> list[Text]:
        if self.game.screens:
            return [self._text(line) for line in self.game.screens.screen(view, room)]
        board = Text(with_names(self.game.views.text(view), self.names))
        for pattern, colour in getattr(self.game.views, "PALETTE", {}).items():
            board.highlight_regex(pattern, colour)
        return list(board.split("\n"))

    def _notes(self, view: dict[str, Any]) -> list[Text]:
        return (
            [self._text(line) for line in self.game.screens.notes(view)]
            if self.game.screens
            else []
        )

    def _text(self, line: Sequence[tuple[str, str]]) -> Text:
        return Text.assemble(*((with_names(text, self.names), style) for text, style in line))

    def _fits(self) -> bool:
        """Whether there is a window to draw in, or none at all, where text may be any size."""
        return not console.is_terminal or (
            console.width >= SMALLEST[0] and console.height >= SMALLEST[1]
        )


def _named_shapes(game: "Game", view: dict[str, Any]) -> list[str]:
    """What the shapes of a game's picture are called, as sentences."""
    from kwartet.core.picture import in_language

    if game.pictures is None:
        return []
    shapes = game.pictures.draw(view).shapes
    names = [in_language(getattr(shape, "name", ""), "en") for shape in shapes]
    return [f"{name}." for name in names if name]
