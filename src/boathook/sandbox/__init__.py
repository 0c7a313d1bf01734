"""Scripts: an agent's code beside a tab, in a process of its own that can be jailed and killed; standard library only."""
