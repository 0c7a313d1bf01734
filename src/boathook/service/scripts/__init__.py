"""Scripts, seen from the daemon: where they come to life, what they may ask for, how they end."""
