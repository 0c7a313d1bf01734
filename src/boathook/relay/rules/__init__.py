"""What clients may do: limits, navigation lock, CDP method tables."""
