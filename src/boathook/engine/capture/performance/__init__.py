"""Traces, CPU profiles and heap snapshots."""
