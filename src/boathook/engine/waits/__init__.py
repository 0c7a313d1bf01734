"""Waiting for a named condition; the error on a timeout contains what was seen last."""
