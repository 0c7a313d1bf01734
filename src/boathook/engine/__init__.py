"""The browser engine: launching, tabs, frames, snapshots."""
