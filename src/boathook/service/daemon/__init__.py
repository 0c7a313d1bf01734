"""The daemon: one process per user that hosts sessions and browsers for thin clients."""
