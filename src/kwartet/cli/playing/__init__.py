"""Playing, watching and stepping through matches in a terminal, whatever the game."""
