"""Reviews of matches that are over: asked for by anybody, made once, kept with the match.

`queue` says what is looked at next, `workers` look at it, `job` is one review, `telling` puts
it into messages and `live` has the socket.
"""

from kwartet.server.reviewing.queue import Reviews

__all__ = ["Reviews"]
