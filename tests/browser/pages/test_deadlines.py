"""Nothing hangs: every call ends by its deadline, names its stage, and leaves a tab that works."""

import asyncio
import itertools
import os
import signal
from contextlib import suppress

import pytest

import boathook
from boathook.cdp.errors_map import ContextGone
from boathook.engine.page import recovery
from boathook.errors import BadSetting, DialogOpen, DialogOpened, EndpointError, TabCrashed, TabGone, TimedOut
from tests.support.engine import engine_of
from tests.support.popups import next_tab
from tests.support.servers import answers_http, never_answers, tcp_server
from tests.support.timing import ends_within
from tests.support.waiting import PATIENCE, until


async def test_an_endless_loop_of_ours_ends_and_the_tab_works_on(tab, site):
    await tab.goto(site.page("<button>Go</button>"))
    with ends_within(2), pytest.raises(TimedOut, match="running the script in the page"):
        await tab.evaluate("(() => { for (;;); })()", timeout=1)
    view = await tab.snapshot()
    assert 'button "Go"' in str(view)
    assert "interrupted" in str(view)


async def hang(tab):
    """Start an endless script in the page, and wait until it runs."""
    await tab.evaluate("void setTimeout(() => { console.log('hangs'); for (;;); }, 0)")
    said = engine_of(tab).console.messages
    await until(lambda: any(message.text == "hangs" for message in said), named="the page hangs")


async def test_an_endless_loop_of_the_page_ends_and_the_tab_works_on(tab, site):
    await tab.goto(site.page("<button>Go</button>"))
    await hang(tab)
    with ends_within(2), pytest.raises(TimedOut) as caught:
        await tab.snapshot(timeout=1)
    assert caught.value.stage in {"reading the page", "waiting for frames that are moving to another process"}
    assert site.origin in caught.value.seen
    assert 'button "Go"' in str(await tab.snapshot())


@pytest.mark.parametrize("way", ["open", "reload", "back"])
async def test_a_page_whose_script_never_ends_can_be_left(tab, site, way):
    first, stuck = site.page("first", title="First"), site.page("stuck", title="Stuck")
    await tab.goto(first)
    await tab.goto(stuck)
    await hang(tab)
    ways = {"open": lambda: tab.goto(first), "reload": tab.reload, "back": tab.back}
    await ways[way]()
    assert await tab.title() == ("Stuck" if way == "reload" else "First")


async def test_a_script_that_never_settles_ends_by_its_deadline(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    with ends_within(2), pytest.raises(TimedOut):
        await tab.evaluate("new Promise(() => {})", timeout=0.5)
    assert await tab.evaluate("1 + 1") == 2


async def test_an_open_dialog_fails_the_next_call_at_once_with_its_text(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("setTimeout(() => { document.title = String(confirm('Really?')) }, 0)")
    await until(lambda: tab.dialog is not None, named="the dialog is open")
    with ends_within(1), pytest.raises(DialogOpen, match=r"Really\?"):
        await tab.snapshot()
    answered = await tab.answer_dialog(accept=True)
    assert (answered.kind, answered.message) == ("confirm", "Really?")
    assert await tab.title() == "true"


@pytest.mark.parametrize(
    "script", ["document.title = confirm('Sure?')", "let sure = confirm('Sure?'); document.title = sure"]
)
async def test_a_script_that_opens_a_dialog_ends_at_once_and_continues_when_it_is_answered(tab, site, script):
    await tab.goto(site.page("<p>x</p>"))
    with ends_within(2), pytest.raises(DialogOpened, match=r"a confirm dialog is open: 'Sure\?'") as caught:
        await tab.evaluate(script, timeout=30)
    assert not caught.value.retry_safe
    await tab.answer_dialog(accept=False)
    assert await tab.title() == "false"


async def test_alerts_and_beforeunload_are_answered_by_themselves(tab, site):
    await tab.goto(site.page("<button onclick=1>x</button>"))
    await tab.evaluate(
        "alert('hello'); addEventListener('beforeunload', event => event.preventDefault())".replace(
            "; ", ", "
        )
    )
    await tab.goto(site.page("next", title="Next"), timeout=30)
    assert await tab.title() == "Next"


async def test_a_navigation_that_never_commits_ends_and_the_old_page_works_on(tab, site):
    await tab.goto(site.page("<button>Still here</button>"))
    with ends_within(2), pytest.raises(TimedOut, match="to respond"):
        await tab.goto(site.url("never"), timeout=1)
    assert "Still here" in str(await tab.snapshot())


async def test_a_page_that_never_finishes_ends_with_what_was_seen_and_can_be_read(tab, site):
    with ends_within(5), pytest.raises(TimedOut) as caught:
        await tab.goto(site.url("half"), timeout=2)
    assert "waiting for load" in caught.value.stage
    assert "document state: commit" in caught.value.seen
    assert "Half a page" in str(await tab.snapshot())


async def test_a_crashed_renderer_fails_the_running_call_at_once_and_the_tab_comes_back(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    running = asyncio.create_task(tab.evaluate("new Promise(() => {})", timeout=30))
    await asyncio.sleep(0)
    crash = engine_of(tab).session.post("Page.crash")
    crash.add_done_callback(lambda done: done.cancelled() or done.exception())
    with ends_within(5), pytest.raises(TabCrashed):
        await running
    assert tab.state == "crashed"
    with ends_within(1), pytest.raises(TabCrashed, match="navigate"):
        await tab.snapshot()
    await tab.goto(site.page("<h1>Back</h1>"))
    assert tab.state == "ready"
    assert "Back" in str(await tab.snapshot())


@pytest.mark.slow
async def test_a_renderer_that_neither_answers_nor_dies_is_replaced(browser_with, site):
    started = await browser_with()
    tab = await started.open(site.page("<p>x</p>"))
    stopped = await _stop_renderer_of(started, tab)
    try:
        with ends_within(2), pytest.raises(TimedOut):
            await tab.snapshot(timeout=1)
        await tab.goto(site.page("<h1>Back</h1>"), timeout=20)
        assert tab.id == "t1"
        view = str(await tab.snapshot())
        assert "Back" in view
        assert "replaced" in view
    finally:
        _signal(stopped, signal.SIGCONT)


async def _stop_renderer_of(started, tab):
    """Stop the renderer of the tab: the one with which it answers while all others stand still."""
    info = await engine_of(started).connection.send("SystemInfo.getProcessInfo")
    renderers = [process["id"] for process in info["processInfo"] if process["type"] == "renderer"]
    async with asyncio.timeout(PATIENCE):
        for pid in itertools.cycle(renderers):
            if await _answers(tab, stopped=[renderer for renderer in renderers if renderer != pid]):
                os.kill(pid, signal.SIGSTOP)
                return pid
    raise AssertionError("no renderer belongs to the tab")


async def _answers(tab, *, stopped):
    """Whether it answers while these stand still. Silence may mean that the machine is slow, so only an answer counts."""
    for pid in stopped:
        _signal(pid, signal.SIGSTOP)
    try:
        async with asyncio.timeout(0.5):
            await engine_of(tab).session.send("Runtime.evaluate", expression="1")
    except TimeoutError:
        return False
    else:
        return True
    finally:
        for pid in stopped:
            _signal(pid, signal.SIGCONT)


def _signal(pid, number):
    with suppress(ProcessLookupError):  # one that was kept in reserve may have ended meanwhile
        os.kill(pid, number)


async def test_a_closed_tab_says_so(browser, site):
    tab = await browser.open(site.page("x"))
    await tab.close()
    await tab.close()
    with pytest.raises(TabGone):
        await tab.snapshot()


async def test_a_page_that_closes_itself_fails_the_running_call(tab, browser, site):
    await tab.goto(site.page("x"))
    opened = site.page("popup")
    await tab.evaluate(f"window.open({opened!r}) && 0")
    popup = await next_tab(browser, opener=tab.id)
    await popup.wait_for_url(opened)
    await popup.wait_for_load()
    with ends_within(5), pytest.raises((TabGone, ContextGone)):
        await popup.evaluate("new Promise(() => window.close())", timeout=20)
    await until(engine_of(popup).closed.is_set, named="the popup is closed")
    assert popup.state == "closed"


async def test_an_endpoint_that_accepts_and_stays_silent_ends_by_its_deadline():
    async with tcp_server(never_answers) as port:
        with ends_within(2), pytest.raises((EndpointError, TimedOut), match=r"respond|querying"):
            await boathook.attach(port, timeout=1)


async def test_a_websocket_handshake_that_never_finishes_ends_by_its_deadline():
    async with tcp_server(never_answers) as port:
        with ends_within(2), pytest.raises(TimedOut, match="connecting to ws"):
            await boathook.attach(f"ws://127.0.0.1:{port}/devtools/browser/x", timeout=1)


@pytest.mark.parametrize("body", [b"<html>hello</html>", b'{"some": "json"}', b"[1, 2]", b""])
async def test_a_server_that_is_no_browser_is_told_apart(body):
    async with tcp_server(answers_http(body)) as port:
        with pytest.raises(EndpointError, match=r"CDP endpoint|debugging port"):
            await boathook.attach(f"http://127.0.0.1:{port}", timeout=5)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), 1e9])
async def test_a_timeout_out_of_range_is_refused(tab, timeout):
    with pytest.raises(BadSetting):
        await tab.evaluate("1", timeout=timeout)


async def test_a_page_that_could_not_be_recovered_is_replaced_when_another_one_is_opened(
    browser_with, site, monkeypatch
):
    for name in ("PING_SECONDS", "REPLACE_SECONDS"):
        monkeypatch.setattr(recovery, name, 0.2)
    browser = await browser_with()
    tab = await browser.open(site.page("<button>Old</button>"))
    info = await engine_of(browser).connection.send("SystemInfo.getProcessInfo")
    [leader] = [process["id"] for process in info["processInfo"] if process["type"] == "browser"]
    os.kill(leader, signal.SIGSTOP)
    try:
        with pytest.raises(TimedOut):
            await tab.snapshot(timeout=0.5)
        await until(lambda: engine_of(tab).state == "dead", named="nothing brings the page back")
    finally:
        os.kill(leader, signal.SIGCONT)
    with pytest.raises(TabGone, match="could not be recovered"):
        await tab.snapshot()
    monkeypatch.undo()
    await tab.goto(site.page("<button>New</button>"))
    view = str(await tab.snapshot())
    assert 'button "New"' in view
    assert "was replaced" in view
