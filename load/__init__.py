"""Benchmarks: the engine and the service against yardsticks in the same run."""
