"""Progress of the calls that the daemon runs: the same lines as everywhere."""

from __future__ import annotations

from boathook.progress import listener, tell

__all__ = ["listener", "tell"]
