"""Waiting for something outside this process, such as a browser's exit, for which there is no event."""

import asyncio

PATIENCE = 30
"""Seconds after which something has gone wrong, even on a machine that is busy with other things."""


async def until(condition, *, named, seconds=PATIENCE):
    """Wait until the condition holds; the error names it."""
    try:
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110 - processes and files of others send no event
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"not within {seconds} s: {named}") from None


async def until_asked(ask, *, named, seconds=PATIENCE):
    """Wait until the answer to a question holds; what it was."""
    try:
        async with asyncio.timeout(seconds):
            while not (answer := await ask()):  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"not within {seconds} s: {named}") from None
    return answer
