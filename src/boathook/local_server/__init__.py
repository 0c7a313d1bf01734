"""What every server on loopback shares: one guard, one way to listen, one token file, one WebSocket server."""
