"""What can be done to a page: each action checks first, acts by real input, and proves what happened."""
