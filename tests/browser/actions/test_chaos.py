"""Targets that are replaced, moved, covered, disabled or removed while they are acted on: a sample of tools/stress_chaos.py."""

import pytest

from boathook.errors import NotReceived, ValueNotTaken
from tools.stress_chaos import CALM_EVERY, KINDS, stress

ROUNDS = 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
async def test_an_action_in_chaos_never_claims_what_the_page_did_not_see(tab, site, kind):
    tally = await stress(tab, site.url("gallery/chaos.html"), kind, rounds=ROUNDS, seed=7)
    assert not tally.faults
    assert tally.calm == ROUNDS // CALM_EVERY
    assert tally.succeeded + tally.failed.total() == ROUNDS


TICKER = "<p id=t></p><script>(tick = () => { t.textContent = performance.now(); requestAnimationFrame(tick) })(); (again = () => { t.dataset.n = Math.random(); setTimeout(again) })()</script>"


async def test_on_a_page_that_never_rests_a_lost_click_is_not_called_done(tab, site):
    await tab.goto(site.page(TICKER + "<button id=b onclick='document.title=\"hit\"'>Go</button>"))
    assert not (await tab.click("#b")).changes.settled
    assert await tab.title() == "hit"
    await tab.evaluate("void b.addEventListener('pointerover', () => { b.style.marginLeft = '500px' })")
    await tab.hover("#t")
    with pytest.raises(NotReceived):
        await tab.click("#b")


async def test_while_a_request_goes_on_a_lost_click_is_not_called_done(tab, site):
    await tab.goto(site.page("<button id=b>Go</button><p id=t>Away</p>"))
    await tab.hover("#t")
    await tab.evaluate(
        "void b.addEventListener('pointerover', () => { b.style.marginLeft = '500px'; fetch('/never') })"
    )
    with pytest.raises(NotReceived):
        await tab.click("#b")


async def test_a_press_that_the_page_answers_at_once_needs_no_click(tab, site):
    await tab.goto(site.page("<button onmousedown='this.remove(); document.title=\"done\"'>Pick</button>"))
    await tab.click("text=Pick")
    assert await tab.title() == "done"


async def test_keys_that_reach_a_field_but_write_nothing_are_an_error(tab, site):
    body = "<input id=i aria-label=F><input id=j aria-label=G>"
    # The field is no longer one that takes text when the browser comes to write.
    script = "<script>i.addEventListener('keydown', () => { i.type = 'checkbox' }); i.addEventListener('keyup', () => { i.type = 'text'; i.focus() })</script>"
    await tab.goto(site.page(body + script))
    with pytest.raises(ValueNotTaken, match=r"accepted 0 of \d typed characters"):
        await tab.type("#i", "abc")
    await tab.type("#j", "abc")
    assert await tab.evaluate("j.value") == "abc"
