"""Redaction: which values are secret, and how they are removed from text and data."""
