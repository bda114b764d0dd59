"""Tests of the engine: positions, recorded games, numbers, the oracle, and the Python API."""
