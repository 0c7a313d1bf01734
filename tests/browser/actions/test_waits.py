"""Waits end when what they name is so, and say what they saw last when it is not."""

import asyncio
import re

import pytest

from boathook.errors import BadRequest, BadSetting, BadTarget, DialogOpen, EvaluationFailed, TabGone, TimedOut
from tests.support.timing import ends_within
from tests.support.waiting import until


async def later(tab, script):
    await tab.evaluate(f"void setTimeout(() => {{ {script} }}, 150)")


@pytest.mark.parametrize(
    ("before", "script", "wish"),
    [
        ("", "document.body.innerHTML = '<p id=x>Hi</p>'", {"state": "visible"}),
        ("<p id=x hidden>Hi</p>", "document.querySelector('#x').hidden = false", {"state": "visible"}),
        ("<p id=x>Hi</p>", "document.querySelector('#x').hidden = true", {"state": "hidden"}),
        ("<p id=x>Hi</p>", "document.querySelector('#x').remove()", {"state": "hidden"}),
        ("", "document.body.innerHTML = '<p id=x hidden>Hi</p>'", {"state": "attached"}),
        ("<p id=x>Hi</p>", "document.querySelector('#x').remove()", {"state": "detached"}),
        (
            "<button id=x disabled>Go</button>",
            "document.querySelector('#x').disabled = false",
            {"state": "enabled"},
        ),
        (
            "<p id=x>Hi</p>",
            "document.querySelector('#x').textContent = 'Done  now'",
            {"state": "text", "text": "done now"},
        ),
        (
            "<p id=x>Done now!</p>",
            "document.querySelector('#x').textContent = 'Done now'",
            {"state": "text", "text": "Done now", "exact": True},
        ),
        ("<input id=x>", "document.querySelector('#x').value = 'abc'", {"state": "value", "value": "abc"}),
        ("<input id=x value=a>", "document.querySelector('#x').value = ''", {"state": "value", "value": ""}),
        (
            "<p id=x>1",
            "document.body.innerHTML = '<p id=x>1<p id=x>2<p id=x>3'",
            {"state": "count", "count": 3},
        ),
        ("<p id=x>1", "document.body.innerHTML = ''", {"state": "count", "count": 0}),
        ("<p id=x>1", "document.body.innerHTML = '<p id=x>1<p id=x>2'", {"state": "attached", "nth": 1}),
    ],
)
async def test_a_target_is_waited_for_until_it_is_as_wished(tab, site, before, script, wish):
    await tab.goto(site.page(before))
    with pytest.raises(TimedOut):
        await tab.wait_for("#x", **wish, timeout=0.05)
    await later(tab, script)
    with ends_within(5):
        await tab.wait_for("#x", **wish, timeout=30)


async def test_a_wait_that_gives_up_says_what_it_saw_last(tab, site):
    await tab.goto(site.page("<button disabled>Save</button>"))
    with ends_within(5), pytest.raises(TimedOut) as caught:
        await tab.wait_for('role=button[name="Save"]', state="enabled", timeout=1)
    assert "to be enabled" in caught.value.stage
    assert re.search(r"@e\d+ is visible, disabled", caught.value.seen)
    with pytest.raises(TimedOut) as caught:
        await tab.wait_for("#missing", timeout=1)
    assert caught.value.seen == "nothing matches '#missing'"


async def test_a_wait_that_gives_up_does_not_stop_the_page_from_loading(tab, site):
    await tab.goto(site.url("half"), wait_until="commit")
    with pytest.raises(TimedOut):
        await tab.wait_for("#missing", timeout=0.3)
    assert await tab.evaluate("document.readyState") == "loading"


async def test_a_ref_is_waited_for_until_its_element_goes(tab, site):
    await tab.goto(site.page("<button>Go</button>"))
    ref = re.search(r"@e\d+", str(await tab.snapshot())).group()
    assert (await tab.wait_for(ref, state="enabled")).ref == ref
    await later(tab, "document.querySelector('button').remove()")
    await tab.wait_for(ref, state="detached", timeout=30)


async def test_a_wait_goes_on_over_a_navigation(tab, site):
    await tab.goto(site.page("<p>first</p>"))
    await later(tab, f"location.href = {site.page('<p id=late>second</p>')!r}")
    assert (await tab.wait_for("#late", timeout=30)).count == 1


async def test_an_element_in_a_frame_of_another_process_is_waited_for(tab, site):
    inner = site.page(
        "<p>x</p><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b id=inner>In</b>'), 300)</script>"
    )
    await tab.goto(site.page(f"<iframe src={inner.replace(site.origin, site.other_origin)}></iframe>"))
    seen = await tab.wait_for("#inner", state="text", text="In", timeout=30)
    assert seen.elements[0].text == "In"


async def test_an_element_in_a_shadow_root_is_waited_for(tab, site):
    await tab.goto(site.page("<div id=host></div>"))
    await later(
        tab, "document.querySelector('#host').attachShadow({mode: 'open'}).innerHTML = '<b id=deep>Deep</b>'"
    )
    await tab.wait_for("#deep", timeout=30)
    await tab.wait_for_text("deep", timeout=30)


async def test_a_form_whose_fields_hide_its_methods_is_waited_for(tab, site):
    names = ["matches", "textContent", "innerText", "value", "getClientRects", "checkVisibility"]
    fields = "".join(f"<input name={name}>" for name in names)
    await tab.goto(site.page(f"<form id=x>{fields}Send</form>"))
    seen = await tab.wait_for("#x", state="text", text="Send", timeout=30)
    assert (seen.elements[0].shown, seen.elements[0].value) == (True, None)


async def test_a_dialog_that_opens_during_a_wait_ends_it_with_its_text(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await later(tab, "confirm('Sure?')")
    with ends_within(3), pytest.raises(DialogOpen, match=r"Sure\?"):
        await tab.wait_for("#missing", timeout=20)
    await tab.answer_dialog(accept=True)


async def test_a_tab_that_closes_during_a_wait_ends_it(browser, site):
    for wait in (
        lambda tab: tab.wait_for("#missing", timeout=30),
        lambda tab: tab.wait_for_url("missing", timeout=30),
        lambda tab: tab.wait_for_download(timeout=30),
        lambda tab: tab.wait(20),
    ):
        tab = await browser.open(site.page("<p>x</p>"))
        waiting = asyncio.create_task(wait(tab))
        await asyncio.sleep(0)
        await tab.close()
        with ends_within(3), pytest.raises(TabGone):
            await waiting


@pytest.mark.parametrize(
    "wish",
    [
        {"state": "sparkling"},
        {"state": "text"},
        {"state": "visible", "count": 3},
        {"state": "count", "count": 1, "text": "a"},
        {"nth": -1},
    ],
)
async def test_a_wish_that_cannot_be_is_refused(tab, wish):
    with pytest.raises(BadRequest):
        await tab.wait_for("#x", **wish)


async def test_a_selector_that_cannot_be_is_refused_at_once(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    with ends_within(2), pytest.raises(BadTarget):
        await tab.wait_for("p[", timeout=20)
    with ends_within(2), pytest.raises(BadTarget):
        await tab.wait_for("10,10", timeout=20)


async def test_text_is_waited_for_until_it_is_shown(tab, site):
    await tab.goto(site.page("<p id=x hidden>All <b>good</b> now</p>"))
    with pytest.raises(TimedOut):
        await tab.wait_for_text("all good now", timeout=0.3)
    await later(tab, "document.querySelector('#x').hidden = false")
    await tab.wait_for_text("all good now", timeout=10)
    with pytest.raises(TimedOut):
        await tab.wait_for_text("all good now", exact=True, timeout=0.3)
    with pytest.raises(BadRequest):
        await tab.wait_for_text("  ")


@pytest.mark.parametrize("pattern", ["step=2", "http://*/**?step=2", "re:step=[2-9]$", "re:(?i)STEP=2"])
async def test_an_address_is_waited_for_also_when_no_document_is_loaded(tab, site, pattern):
    await tab.goto(site.page("<p>x</p>"))
    with pytest.raises(TimedOut, match="the URL is"):
        await tab.wait_for_url(pattern, timeout=0.2)
    await later(tab, "history.pushState({}, '', '?step=2')")
    assert (await tab.wait_for_url(pattern, timeout=10)).endswith("?step=2")


@pytest.mark.parametrize("pattern", ["", "re:[", 7, "x" * 3000])
async def test_a_pattern_that_cannot_be_is_refused(tab, pattern):
    with pytest.raises(BadRequest):
        await tab.wait_for_url(pattern)


async def test_a_load_state_is_waited_for_and_named(tab, site):
    await tab.goto(site.url("half"), wait_until="commit")
    with pytest.raises(TimedOut, match="document state"):
        await tab.wait_for_load("load", timeout=0.3)
    await tab.goto(site.page("<p>x</p>"), wait_until="commit")
    await tab.wait_for_load("load", timeout=10)
    await tab.wait_for_load("networkidle", timeout=30)
    with pytest.raises(BadRequest):
        await tab.wait_for_load("finished")


@pytest.mark.parametrize(
    ("pending", "state", "idle"),
    [
        (0, "networkidle0", True),
        (1, "networkidle0", False),
        (2, "networkidle2", True),
        (3, "networkidle2", False),
    ],
)
async def test_networkidle2_allows_two_pending_requests_and_networkidle0_none(
    tab, site, pending, state, idle
):
    page = site.page(f"<script>for (let i = 0; i < {pending}; i++) fetch('/never?' + i)</script>")
    if idle:
        await tab.goto(page, wait_until=state, timeout=10)
        await tab.wait_for_load(state, timeout=10)
        assert await tab.evaluate("performance.now() > 400"), "it waited for the network"
        return
    with pytest.raises(TimedOut, match=f"waiting for {state}"):
        await tab.goto(page, wait_until=state, timeout=0.8)


async def test_the_network_is_idle_once_nothing_is_on_its_way(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.wait_for_network_idle(timeout=30)
    await tab.evaluate("void fetch('/never')")
    with pytest.raises(TimedOut, match=r"1 pending: GET http://127.0.0.1:\d+/never"):
        await tab.wait_for_network_idle(timeout=1)
    await tab.goto(site.page("<p>y</p>"))
    await tab.wait_for_network_idle(timeout=10)


async def test_a_response_may_be_over_before_it_is_waited_for(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("fetch('/json?status=201', {method: 'POST'}).then(answer => answer.text())")
    answer = await tab.wait_for_response("/json", timeout=30)
    assert (answer.status, answer.method, answer.type, answer.finished) == (201, "POST", "Fetch", True)
    assert (await tab.response_body(answer.number)).text == '{"answer": 42}'
    assert (await tab.wait_for_request("**/json*", method="post", timeout=30)).number == answer.number


async def test_a_response_from_before_the_last_action_does_not_count_unless_a_mark_says_so(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    mark = tab.mark
    await tab.evaluate("fetch('/json?first').then(answer => answer.text())")
    await tab.evaluate("1")
    with pytest.raises(TimedOut, match="no request was made"):
        await tab.wait_for_response("/json", timeout=0.3)
    assert (await tab.wait_for_response("/json", since=mark, timeout=5)).url.endswith("first")


async def test_a_response_with_another_status_is_not_the_one(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("fetch('/json?status=500').then(answer => answer.text())")
    with pytest.raises(TimedOut, match=r"GET .*json.* 500"):
        await tab.wait_for_response("/json", status=200, timeout=0.3)


async def test_a_tab_that_a_page_opened_is_given(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    popup = site.page("<p>popup</p>", title="Popup")
    await tab.evaluate(f"void setTimeout(() => window.open({popup!r}), 100)")
    opened = await tab.wait_for_tab(timeout=30)
    await opened.wait_for_url(popup)
    await opened.wait_for_load()
    assert await opened.title() == "Popup"
    assert opened.opener == tab.id
    await tab.evaluate("1")
    with pytest.raises(TimedOut, match="no tab was opened"):
        await tab.wait_for_tab(timeout=0.2)


async def test_a_dialog_is_waited_for_whether_it_was_answered_or_not(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await later(tab, "alert('Saved')")
    seen = await tab.wait_for_dialog(timeout=30)
    assert (seen.message, seen.answer) == ("Saved", "accepted")
    await later(tab, "confirm('Sure?')")
    seen = await tab.wait_for_dialog(timeout=30)
    assert (seen.message, seen.answer) == ("Sure?", "")
    await tab.answer_dialog(accept=True)


async def test_a_script_is_asked_until_its_value_is_true(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await later(tab, "window.ready = {items: 3}")
    assert await tab.wait_for_function("() => window.ready && window.ready.items", timeout=30) == 3
    assert await tab.wait_for_function("document.querySelector('p').textContent + '!'") == "x!"
    with pytest.raises(TimedOut, match="Cannot read properties"):
        await tab.wait_for_function("window.missing.deep", timeout=1)
    with pytest.raises(TimedOut, match="its value was 0"):
        await tab.wait_for_function("count => count", 0, timeout=1)
    with ends_within(2), pytest.raises(EvaluationFailed):
        await tab.wait_for_function("this is no script", timeout=20)


async def test_a_page_that_hangs_during_a_wait_is_recovered(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("void setTimeout(() => { for (;;); }, 100)")
    with ends_within(3), pytest.raises(TimedOut):
        await tab.wait_for("#missing", timeout=1)
    assert await tab.evaluate("1 + 1", timeout=10) == 2


async def test_time_passes(tab, site):
    await tab.wait(0.05)
    with pytest.raises(BadRequest):
        await tab.wait(-1)
    await until(lambda: tab.state == "ready", named="the tab is ready")


async def test_a_script_that_returns_an_element_is_true(tab, site):
    await tab.goto(site.page("<p id=p></p>"))
    with pytest.raises(TimedOut):
        await tab.wait_for_function("document.querySelector('#later')", timeout=0.3)
    await tab.evaluate("void (p.innerHTML = '<b id=later></b>')")
    assert await tab.wait_for_function("document.querySelector('#later')", timeout=5)


@pytest.mark.parametrize("given", ["text=Done", True, [1]])
async def test_a_duration_that_is_not_a_number_is_named(tab, given):
    with pytest.raises(BadSetting, match=f"wait: seconds must be a number, not {type(given).__name__}"):
        await tab.wait(given)
