"""Measurements side by side with other libraries, each run as `python -m bench.<name>`."""
