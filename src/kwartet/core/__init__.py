"""What a game is: state records, kernels, verbs, matches, records, errors, chance.

Knows no game and does no input or output beyond the kernels' disk cache.
"""
