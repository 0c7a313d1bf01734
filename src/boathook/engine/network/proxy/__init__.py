"""The egress proxy that enforces the host policy."""
