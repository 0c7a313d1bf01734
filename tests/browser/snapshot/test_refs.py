"""Refs: the same node keeps its ref, none is ever reused, and a stale one fails with fresh candidates."""

import re
from typing import cast

import pytest

from boathook.errors import StaleRef


def ref_of(view, words):
    line = next(line for line in view.lines if words in line)
    return re.search(r"@(e\d+)", line).group(1)


async def test_a_node_keeps_its_ref_when_everything_around_it_changes(tab, site):
    await tab.goto(site.page("<p id=p>Old</p><button id=b>Press</button>"))
    before = ref_of(await tab.snapshot(), "Press")
    await tab.evaluate(
        "() => { p.outerHTML = '<button>New</button>'.repeat(5); b.textContent = 'Press again' }"
    )
    view = await tab.snapshot()
    assert ref_of(view, "Press again") == before
    assert len({ref for line in view.lines for ref in re.findall(r"@e\d+", line)}) == 6


async def test_a_ref_is_never_given_to_another_node(tab, site):
    await tab.goto(site.page("<button>One</button>"))
    seen = {ref_of(await tab.snapshot(), "One")}
    for round_ in range(5):
        await tab.evaluate("document.querySelector('button').outerHTML = '<button>One</button>'")
        ref = ref_of(await tab.snapshot(), "One")
        assert ref not in seen, round_
        seen.add(ref)
    await tab.reload()
    assert ref_of(await tab.snapshot(), "One") not in seen


async def test_a_ref_fails_loudly_after_navigation_and_names_candidates(tab, site):
    await tab.goto(site.page("<button>Save</button>"))
    ref = ref_of(await tab.snapshot(), "Save")
    await tab.goto(site.page("<p>x</p><button>Save</button>"))
    with pytest.raises(StaleRef) as caught:
        await tab.evaluate("1", target=ref)
    assert "its page is gone" in str(caught.value)
    [candidate] = cast("list[str]", caught.value.evidence["candidates"])
    assert await tab.evaluate("element.textContent", target=candidate) == "Save"
    with pytest.raises(StaleRef):
        await tab.evaluate("1", target=ref)


async def test_a_replaced_node_is_followed_when_exactly_one_twin_took_its_place(tab, site):
    await tab.goto(site.page("<button>Save</button>"))
    ref = ref_of(await tab.snapshot(), "Save")
    await tab.evaluate("document.querySelector('button').outerHTML = '<button id=new>Save</button>'")
    assert await tab.evaluate("element.id", target=ref) == "new"
    shot = await tab.screenshot(target=ref)
    assert re.search(rf"@{ref} was replaced on the page by @e\d+", shot.notes[0])


async def test_a_replaced_node_with_several_twins_is_stale_and_lists_them(tab, site):
    await tab.goto(site.page("<button>Save</button>"))
    ref = ref_of(await tab.snapshot(), "Save")
    await tab.evaluate(
        "document.querySelector('button').outerHTML = '<button>Save</button><button>Save</button>'"
    )
    with pytest.raises(StaleRef, match="its element was removed") as caught:
        await tab.evaluate("1", target=ref)
    assert len(cast("list[str]", caught.value.evidence["candidates"])) == 2


async def test_a_removed_node_without_a_twin_is_stale(tab, site):
    await tab.goto(site.page("<button>Save</button>"))
    ref = ref_of(await tab.snapshot(), "Save")
    await tab.evaluate("document.querySelector('button').remove()")
    with pytest.raises(StaleRef, match="take a new snapshot"):
        await tab.evaluate("1", target=ref)


async def test_a_node_of_a_frame_that_navigated_is_stale(tab, site):
    one, two = site.page("<button>One</button>"), site.page("<button>Two</button>")
    for host in ("127.0.0.1", "localhost"):
        await tab.goto(site.page(f"<iframe id=f src='{one.replace('127.0.0.1', host)}'></iframe>"))
        ref = ref_of(await tab.snapshot(), '"One"')
        assert await tab.evaluate("element.textContent", target=ref) == "One"
        await tab.evaluate(
            f"new Promise(done => {{ f.onload = () => done(); f.src = '{two.replace('127.0.0.1', host)}' }})"
        )
        assert '"Two"' in str(await tab.snapshot())
        with pytest.raises(StaleRef):
            await tab.evaluate("1", target=ref)


async def test_a_ref_of_another_tab_is_refused(tab, browser, site):
    other = await browser.open(site.page("<button>Other</button>"))
    ref = ref_of(await other.snapshot(), "Other")
    await tab.goto(site.page("<button>Mine</button>"))
    with pytest.raises(StaleRef, match="another tab"):
        await tab.evaluate("1", target=ref)
    assert await other.evaluate("element.textContent", target=ref) == "Other"


@pytest.mark.parametrize("spelling", ["@{}", "{}", " @{} "])
async def test_a_ref_is_read_in_every_spelling(tab, site, spelling):
    await tab.goto(site.page("<button>Go</button>"))
    ref = ref_of(await tab.snapshot(), "Go")
    assert await tab.evaluate("element.textContent", target=spelling.format(ref)) == "Go"
    assert await tab.evaluate("element.textContent", target=ref.removeprefix("e")) == "Go"
