"""The protocol between a thin client and the daemon: frames, messages, socket addresses; standard library only."""
