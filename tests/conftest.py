"""Every test knows the example as a fifth game."""

from examples.connect_four import GAME as CONNECT_FOUR

from kwartet.games import register

register(CONNECT_FOUR)
