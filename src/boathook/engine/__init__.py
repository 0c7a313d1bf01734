"""What a browser is and does: launching, tabs, frames, snapshots."""
