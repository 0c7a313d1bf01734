"""Looking into pages: how fast they are, what is wrong with them, how they are styled."""
