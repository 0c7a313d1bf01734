"""Policy: what may be done, decided once per call."""
