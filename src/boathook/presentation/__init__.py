"""Values to text: pure functions, no input or output."""
