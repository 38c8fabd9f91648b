"""A match as others play it: the board when a move was made, what is said as it comes."""

from typing import TYPE_CHECKING, Final

from kwartet.cli.playing.words import told

if TYPE_CHECKING:
    from kwartet.cli.playing.places import Place
    from kwartet.cli.playing.show import Screen

KEPT: Final = 5  # lines of talk that stay beside the board


class Onlooker:
    """Somebody who looks on at a place, and how much of it they have been shown."""

    def __init__(self, place: "Place", screen: "Screen") -> None:
        self._place = place
        self._screen = screen
        self._shown: int | None = None  # the length of the log when the board was
        self._recent: list[str] = []  # what was said and asked lately
        self._awaited = ""  # what the match was told to wait for

    def waits(self) -> bool:
        """Whether the match has yet to begin; then tell what is new and for whom it waits."""
        if not self._place.awaits():
            return False
        for line in self.hear():  # first: whatever changes from here on is told the next time
            self._screen.tell_line(line)
        if (awaited := self._place.awaits()) not in ("", self._awaited):
            self._screen.say(awaited, unbroken=True)
            self._awaited = awaited
        return True

    def hear(self) -> list[str]:
        """What else is new; it is among the recent lines from now on."""
        new = self._place.news()
        self._recent = [*self._recent, *new][-KEPT:]
        return new

    def overhear(self) -> list[str]:
        """What stands beside the board: the recent lines, or what is new where one listens."""
        return self._beside(self.hear())

    def _beside(self, new: list[str]) -> list[str]:
        return new if self._screen.plain else self._recent

    def forget(self) -> None:
        """What was said until now has been read."""
        self._recent = []

    def saw(self, seat: int | None) -> None:
        """The board was shown as it is."""
        self._shown = len(self._place.log(seat))

    def look(self, seat: int | None, since: int | None = None) -> None:
        """Show the match after a move, with what was played from the ply `since` on; else talk.

        Who is told in sentences hears nothing twice.
        """
        new = self.hear()  # first: whatever changes from here on is told the next time
        log, shown = self._place.log(seat), self._shown
        if len(log) == shown:
            for line in new:
                self._screen.tell_line(line)
            return
        talk, self._shown = self._beside(new), len(log)
        if since is None or (self._screen.plain and shown is not None):
            since = len(log) if shown is None else shown
        moves = told(log[since:], self._screen.names)
        news = [f"{moves}."] if moves else []
        if self._screen.plain and shown is not None:
            self._screen.say(self._screen.standing(self._place.view(seat)))
            for line in news + talk:
                self._screen.tell_line(line)
            return
        self._screen.clear()
        self._screen.show(self._place.view(seat), news + talk)

    def told_until(self, ply: int) -> int:
        """From which ply on moves are news to who has decided something at this one."""
        return max(ply, self._shown or 0) if self._screen.plain else ply
