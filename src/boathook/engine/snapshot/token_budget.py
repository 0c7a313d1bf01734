"""The token budget of snapshots."""

from __future__ import annotations

DEFAULT_BUDGET = 4_000
"""Tokens of a snapshot's text."""
