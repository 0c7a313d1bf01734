"""The event log of a tab, and its console."""
