"""A page on which thousands of things listen: what has a ref does something when it is clicked."""

import random
import re

from benchmarks.items.busy_page import PAGE

SAMPLE = 20
LEAST_SHARE = 0.95


async def test_on_a_page_of_3000_listeners_what_has_a_ref_reacts_to_a_click(tab, site):
    await tab.goto(site.page(PAGE))
    text = (await tab.snapshot(budget=None, fold=False)).text
    assert text.count('~"trash') == 500
    refs = re.findall(r"@e\d+(?= \[clickable)", text)
    assert len(refs) >= 5_000
    reacted = 0
    for ref in random.Random(19).sample(refs, SAMPLE):
        before = await tab.evaluate("pressed.clear() || pressed.size")
        await tab.click(ref)
        reacted += await tab.evaluate("pressed.size") > (before or 0)
    assert reacted >= LEAST_SHARE * SAMPLE
