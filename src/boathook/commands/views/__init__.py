"""Views: the tools of other programs, each a command that delegates to others; only in their tool sets."""
