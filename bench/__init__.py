"""Measurements side by side with other libraries, run as `python -m bench`."""
