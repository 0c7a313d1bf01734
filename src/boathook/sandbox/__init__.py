"""The script process: an agent's code, separate so that it can be jailed and killed; standard library only."""
