"""The work items: what is done with each tool, and what is kept of it."""
