"""No result of a tool is as long as a page makes it."""

import asyncio

from tests.support.thorough import at_most
from tests.surfaces.test_bounded_answers import HOSTILE, HUGE, LONGEST, lines, longest_text

MOST_CHARACTERS = 60_000
"""Of all text of one result."""


def texts_in(answer):
    """Everything that a model may be shown: text parts, and structured data; images are bounded by their size."""
    parts = [part.text for part in answer.content if part.type == "text"]
    return {"text": parts, "data": answer.structured_content}


async def test_no_text_of_a_tool_result_is_as_long_as_the_page_made_it(client_with, site):
    client = await client_with("--tools", "argv", "--structured", "--evaluate-enabled")
    page = site.page(HOSTILE, title="T" * HUGE)
    assert not (await client.call_tool("agent_browser", {"args": ["open", page]})).is_error
    long, worked = {}, 0
    for line in lines():
        answer = await asyncio.wait_for(client.call_tool("agent_browser", {"args": line}), 120)
        worked += not answer.is_error
        told = texts_in(answer)
        if longest_text(told)[0] > LONGEST or sum(map(len, told["text"])) > MOST_CHARACTERS:
            long[" ".join(line)[:60]] = longest_text(told)
    assert not long
    assert worked >= at_most(4, len(lines()) - 6), "the calls found the page"
