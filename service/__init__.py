"""The gRPC service around the engine: it holds no state but its configuration and its counters."""
