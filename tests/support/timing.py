"""Checks about how long something takes."""

import time
from contextlib import contextmanager


@contextmanager
def ends_within(seconds):
    begin = time.monotonic()
    yield
    assert time.monotonic() - begin < seconds
