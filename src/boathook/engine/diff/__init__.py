"""Comparing snapshots and screenshots of pages."""
