"""A server's table looked on at, without a seat."""

from kwartet.cli.playing.lines import connected
from kwartet.cli.playing.links import read_link
from kwartet.cli.playing.onlooking import Onlooker
from kwartet.cli.playing.remote import Remote
from kwartet.cli.playing.show import Screen
from kwartet.cli.terminal import prepare


def watch(text: str, token: str | None, *, plain: bool) -> None:
    """Follow a table until its match is over."""
    link = read_link(text)
    with connected(link, token) as line:
        place = Remote(line, link)
        place.screen = screen = Screen(place.game, place.names, plain=plain)
        prepare([place.game])
        onlooker = Onlooker(place, screen)
        while True:
            version = line.now.version
            screen.names = place.names
            if not onlooker.waits():
                onlooker.look(None)
            if line.now.state == "over":
                break
            with screen.busy("Watching; Ctrl-C ends it."):
                line.changed(version)
        screen.say(place.ended(), "bold")
        screen.say(place.leave(), unbroken=True)
