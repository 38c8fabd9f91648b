"""What changed between two messages of a table to the same watcher, and the table after it.

A change holds the fields that differ, of the match and of its view likewise. The chat, the log
and the steps of a message are what is new anyway: where a change does not have them nothing is.
What cannot be told so, such as a match that begins, is told whole.
"""

from operator import attrgetter
from typing import Any, Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from kwartet.server import messages as m

NEW: Final = ("chat",)  # lists of what is new: none where they are not told
MATCH_NEW: Final = ("log", "steps")
ALWAYS: Final = ("version", "now")
TOLD: Final = tuple(
    name
    for name in m.ChangeMessage.__struct_fields__
    if name not in (*NEW, *ALWAYS, "after", "match")
)
MATCH_TOLD: Final = tuple(
    name for name in m.MatchChange.__struct_fields__ if name not in (*MATCH_NEW, "view")
)
FIXED: Final = tuple(
    name
    for name in m.TableMessage.__struct_fields__
    if name not in m.ChangeMessage.__struct_fields__
)
MATCH_FIXED: Final = tuple(
    name for name in m.MatchView.__struct_fields__ if name not in m.MatchChange.__struct_fields__
)

# Many fields at once, which is what takes the time here.
_told, _match_told = attrgetter(*TOLD), attrgetter(*MATCH_TOLD)
_fixed, _match_fixed = attrgetter(*FIXED), attrgetter(*MATCH_FIXED)


def change(before: m.TableMessage, after: m.TableMessage) -> m.ChangeMessage | None:
    """What makes the one message the other; None if only the whole table tells it."""
    if _fixed(before) != _fixed(after):
        return None
    match = _match_change(before.match, after.match)
    if match is None:
        return None
    fields = _differ(TOLD, _told(before), _told(after))
    if match is not UNSET:
        fields["match"] = match
    if after.chat:
        fields["chat"] = after.chat
    return m.ChangeMessage(after=before.version, version=after.version, now=after.now, **fields)


def _match_change(
    before: m.MatchView | None, after: m.MatchView | None
) -> m.MatchChange | UnsetType | None:
    if before is None or after is None:
        return UNSET if before is after else None
    if before.view.keys() != after.view.keys() or _match_fixed(before) != _match_fixed(after):
        return None
    fields = _differ(MATCH_TOLD, _match_told(before), _match_told(after))
    if after.log:
        fields["log"] = after.log
    if after.steps:
        fields["steps"] = after.steps
    known = before.view
    if view := {name: value for name, value in after.view.items() if value != known[name]}:
        fields["view"] = view
    return m.MatchChange(**fields) if fields else UNSET


def _differ(names: tuple[str, ...], before: Any, after: Any) -> dict[str, Any]:
    """Of the fields with these names those that differ, given as they are before and after."""
    return {
        name: now
        for name, then, now in zip(names, before, after, strict=True)
        if then is not now and then != now
    }


def changed(before: m.TableMessage, by: m.ChangeMessage) -> m.TableMessage:
    """The message that was changed; ValueError if the change is of another."""
    if by.after != before.version:
        raise ValueError(f"a change of version {by.after}, not {before.version}")
    fields = {name: value for name in TOLD if (value := getattr(by, name)) is not UNSET}
    return replace(
        before,
        version=by.version,
        now=by.now,
        chat=[] if isinstance(by.chat, UnsetType) else by.chat,
        match=before.match and _changed_match(before.match, by.match),
        **fields,
    )


def _changed_match(before: m.MatchView, by: m.MatchChange | UnsetType) -> m.MatchView:
    by = m.MatchChange() if isinstance(by, UnsetType) else by
    fields = {name: value for name in MATCH_TOLD if (value := getattr(by, name)) is not UNSET}
    return replace(
        before,
        view=before.view if isinstance(by.view, UnsetType) else before.view | by.view,
        log=[] if isinstance(by.log, UnsetType) else by.log,
        steps=[] if isinstance(by.steps, UnsetType) else by.steps,
        **fields,
    )
