"""`python -m kwartet.cli`."""

from kwartet.cli import main

main()
