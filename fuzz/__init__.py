"""Fuzzing: bytes that nobody would write, put to everything that reads bytes. `make fuzz` runs it.

A target (`fuzz.target`) checks one subject with one input. `fuzz.session` runs a target under atheris in a process of
its own, `python -m fuzz` all targets in turns; `fuzz/corpus` has the inputs that they begin with, from `fuzz.seeds`.
"""
