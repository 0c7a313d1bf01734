"""Views: the tools of other programs, each an ordinary command that leads to ours; only their tool sets have them."""
