"""Redaction: which values are secret, and how they are taken out of text and data."""
