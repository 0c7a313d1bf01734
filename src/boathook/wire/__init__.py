"""What a thin client and the daemon say to each other: frames, messages, addresses; standard library only."""
