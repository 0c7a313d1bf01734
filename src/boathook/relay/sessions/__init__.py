"""CDP clients, their sessions, and the user's tabs."""
