"""Scripts, from the daemon's side: their processes, what they may call, how they end."""
