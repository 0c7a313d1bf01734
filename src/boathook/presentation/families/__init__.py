"""Results of command families as text."""
