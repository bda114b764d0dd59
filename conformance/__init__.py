"""Conformance vectors: requests with the answers that every server, and every client, must make of them.

`clients/conformance` has the vectors and tells what they mean.
"""
