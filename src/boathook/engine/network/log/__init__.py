"""The network log of a tab: requests, bodies, streams."""
