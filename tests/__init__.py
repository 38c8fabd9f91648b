"""Tests of the library; they mirror src."""
