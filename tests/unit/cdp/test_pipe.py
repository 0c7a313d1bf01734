"""The pipe to a browser: what is sent together is written together."""

import asyncio
import os

from boathook.cdp.transport.pipe import PipeTransport


async def test_messages_of_one_step_are_written_at_once_and_in_order(monkeypatch):
    from_browser, browsers_end = os.pipe()
    to_read, to_browser = os.pipe()
    os.set_blocking(to_read, False)
    pipe = await PipeTransport.open(read_fd=from_browser, write_fd=to_browser)
    written: list[bytes] = []
    try:
        monkeypatch.setattr(pipe._writer, "write", written.append)
        pipe.send(b"press")
        pipe.send(b"release")
        await asyncio.sleep(0)
        pipe.send(b"question")
        await asyncio.sleep(0)
    finally:
        await pipe.close()
        for end in (from_browser, browsers_end, to_read, to_browser):
            os.close(end)
    assert written == [b"press\0release\0", b"question\0"]


async def test_what_was_sent_before_the_pipe_is_closed_is_written():
    from_browser, browsers_end = os.pipe()
    to_read, to_browser = os.pipe()
    pipe = await PipeTransport.open(read_fd=from_browser, write_fd=to_browser)
    try:
        pipe.send(b"close")
        await pipe.close()
        assert os.read(to_read, 100) == b"close\0"
    finally:
        for end in (from_browser, browsers_end, to_read, to_browser):
            os.close(end)
