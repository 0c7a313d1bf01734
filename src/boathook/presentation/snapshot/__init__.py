"""Snapshots, snapshot diffs and action reports as text."""
