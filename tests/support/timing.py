"""Checks about how long something takes."""

import time
from contextlib import contextmanager

SLACK = 3
"""What other work on the machine may add: what is told apart here takes ten times as long when it goes wrong."""


@contextmanager
def ends_within(seconds):
    begin = time.monotonic()
    yield
    assert time.monotonic() - begin < seconds * SLACK
