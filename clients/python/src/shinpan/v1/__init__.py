"""Messages and stubs of the API, generated from proto/shinpan/v1."""
