"""Policy: what is allowed, decided once per call."""
