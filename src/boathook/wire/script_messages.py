"""What the daemon and the worker of a script agree on."""

from __future__ import annotations

LARGEST = 16 << 20
"""The largest message in either direction."""
STARTED = {"type": "started"}
"""The jail is closed. Earlier messages come from the worker alone; later ones can be forged by the script."""
