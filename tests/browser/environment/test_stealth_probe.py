"""Stealth `full`: what pages can do to the functions that it replaces gives what bare Chromium gives."""

from pathlib import Path

PROBE = Path(__file__).with_name("stealth_probe.js").read_text(encoding="utf-8")
KNOWN = {"construct", "construct2", "extends", "prepare"}
"""V8 quotes the source of a function that is not a constructor, and a page that formats stacks itself sees no native
frame; docs/stealth.md says so."""


async def answers_in(browser, site):
    tab = await browser.open(site.page("<p>Probe</p>"))
    answers = await tab.evaluate(PROBE)
    return {label: rest for label, *rest in answers}


async def test_replaced_functions_answer_every_probe_as_native_ones_do(browser_with, site):
    bare = await answers_in(await browser_with(stealth="off"), site)
    full = await answers_in(await browser_with(stealth="full"), site)
    assert bare.keys() == full.keys()
    assert len(bare) > 100
    differ = {label for label in bare if bare[label] != full[label]}
    # The height itself differs: that is what the getter is replaced for.
    height = {label for label in differ if label.startswith("outerHeight") and full[label][0] == "ok"}
    assert height, "the probe reaches the functions that were replaced"
    assert {label.rpartition(" ")[2] for label in differ - height} <= KNOWN, differ
    assert "at Function.toString (<anonymous>)" in full["toString create"][4]
