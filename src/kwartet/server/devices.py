"""What a browser is called in the list of one's devices, from what it says of itself."""

from typing import Final

# The first that is found counts: browsers name those they descend from, too.
BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Vivaldi", "Vivaldi"),
    ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
LENGTH: Final = 40  # letters of a name that is not known


def device_name(agent: str) -> str:
    """A few words for the `User-Agent`; "" if it says nothing."""
    known = [_first(BROWSERS, agent), _first(SYSTEMS, agent)]
    if any(known):
        return ", ".join(filter(None, known))
    words = "".join(c if c.isascii() and c.isprintable() else " " for c in agent).split()
    return words[0].partition("/")[0][:LENGTH] if words else ""


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for part, name in names if part in agent), "")
