"""The relay's HTTP and WebSocket server."""
