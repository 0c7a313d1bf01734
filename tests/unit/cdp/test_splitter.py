"""Framing of the debugging pipe."""

from hypothesis import given
from hypothesis import strategies as st

from boathook.cdp.transport.pipe import MessageSplitter


@given(st.lists(st.binary(min_size=1).filter(lambda piece: b"\0" not in piece)), st.integers(1, 9))
def test_messages_come_out_whole_however_they_are_chunked(messages, size):
    stream = b"".join(message + b"\0" for message in messages)
    splitter = MessageSplitter()
    out = [
        message
        for start in range(0, len(stream), size)
        for message in splitter.feed(stream[start : start + size])
    ]
    assert out == messages


def test_work_grows_linearly_with_the_length_of_a_message(monkeypatch):
    copied = 0
    splitter = MessageSplitter()
    for _ in range(1_000):
        splitter.feed(b"x" * 1_000)
        copied += sum(len(part) for part in splitter._parts[-1:])
    assert copied == 1_000_000
    [message] = splitter.feed(b"\0")
    assert len(message) == 1_000_000
