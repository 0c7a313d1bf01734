"""The console and uncaught errors are kept, bounded, and listened to only where pages may notice it."""

import pytest

from boathook.engine.events import console
from boathook.engine.events.console import is_local
from boathook.engine.events.event_log import RING_LIMIT
from boathook.errors import BadRequest
from tests.support.engine import engine_of
from tests.support.waiting import PATIENCE, until

PUBLIC = "public.example"


@pytest.fixture
async def public_tab(browser_with, site):
    """A tab of a browser in which a public name leads to the test server."""
    started = await browser_with(switches=[f"--host-resolver-rules=MAP {PUBLIC} 127.0.0.1"])
    return await started.open()


async def said(tab, text):
    await until(
        lambda: any(text in message.text for message in engine_of(tab).console.messages),
        seconds=30,
        named=f"the console said {text}",
    )


async def test_messages_of_a_local_page_are_kept_with_level_and_place(tab, site):
    await tab.goto(
        site.page(
            "<script>console.log('one', 2, {three: 3, four: [5]}, null, undefined, [1, 'a']);\nconsole.warn('careful')</script>"
        )
    )
    await said(tab, "careful")
    first, second = await tab.console()
    assert first.text == 'one 2 {three: 3, four: Array(1)} null undefined [1, "a"]'
    assert (first.level, first.source, first.line) == ("log", "console", 1)
    assert (second.level, second.text) == ("warning", "careful")
    assert second.url == tab.url
    assert second.at > 1e9


async def test_uncaught_errors_and_rejections_are_errors(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    mark = tab.mark
    await tab.evaluate(
        "void setTimeout(() => { throw new Error('boom') }, 0), void Promise.reject(new Error('late')), console.error('said'), 1"
    )
    await until(lambda: len(engine_of(tab).console.errors_since(mark)) == 3, named="three errors")
    errors = await tab.errors(since=mark)
    assert sorted(error.source for error in errors) == ["console", "exception", "exception"]
    assert any(error.text.startswith("Error: boom") for error in errors)
    assert await tab.errors(since=tab.mark) == []


async def test_messages_below_a_level_are_left_out(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("console.debug('d'), console.info('i'), console.warn('w'), console.error('e'), 1")
    await said(tab, "e")
    assert [message.text for message in await tab.console(level="warning")] == ["w", "e"]
    with pytest.raises(BadRequest):
        await tab.console(level="loud")


async def test_the_ring_keeps_the_latest_and_counts_the_rest(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate(f"(() => {{ for (let i = 0; i < {RING_LIMIT + 20}; i++) console.log(i) }})()")
    await said(tab, str(RING_LIMIT + 19))
    ring = engine_of(tab).console.messages
    assert (len(ring), ring.dropped) == (RING_LIMIT, 20)
    assert (await tab.console())[0].text == "20"


async def test_a_huge_message_is_cut(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("console.log('x'.repeat(1e6), 'y'.repeat(1e6), 'z'.repeat(1e6)), 1")
    await said(tab, "xxx")
    assert len((await tab.console())[0].text) == 16_384


async def test_a_flood_is_not_listened_to_until_its_page_is_left(tab, site, monkeypatch):
    monkeypatch.setattr(console, "FLOOD_SECONDS", PATIENCE)  # a slow machine takes longer to say as much
    await tab.goto(site.page("<p>x</p>"))
    flood = "void setInterval(() => { for (let i = 0; i < 500; i++) console.log('drop', i) }, 0)"
    await tab.evaluate(flood)
    await until(
        lambda: any("logs too much" in message.text for message in engine_of(tab).console.messages),
        seconds=30,
        named="the flood is noticed",
    )
    assert (await tab.console())[-1].source == "browser"
    await tab.goto(site.page("<p>y</p>"))
    await tab.evaluate("console.log('heard again')")
    await said(tab, "heard again")


async def test_frames_of_other_processes_are_heard(tab, site):
    inner = site.page("<script>console.log('from the frame')</script>").replace(
        site.origin, site.other_origin
    )
    await tab.goto(site.page(f"<iframe src={inner}></iframe>"))
    await said(tab, "from the frame")


async def test_a_public_page_is_listened_to_only_when_asked_and_then_from_its_beginning(public_tab, site):
    tab = public_tab
    await tab.goto(site.page("<script>console.log('early')</script>").replace("127.0.0.1", PUBLIC))
    await tab.evaluate("console.log('later')")
    assert list(engine_of(tab).console.messages) == []
    assert [message.text for message in await tab.console()] == ["early", "later"]
    await tab.evaluate("console.log('now')")
    await said(tab, "now")


async def test_leaving_a_local_page_for_a_public_one_ends_the_listening(public_tab, site):
    tab = public_tab
    await tab.goto(site.page("<p>local</p>"))
    await tab.evaluate("console.log('local')")
    await said(tab, "local")
    await tab.goto(site.page("<p>public</p>").replace("127.0.0.1", PUBLIC))
    await tab.evaluate("console.log('public')")
    await tab.goto(site.page("<p>local</p>"))
    await tab.evaluate("console.log('back')")
    await said(tab, "back")
    assert [message.text for message in engine_of(tab).console.messages] == ["local", "back"]


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:3000/x", True),
        ("http://127.0.0.1/", True),
        ("http://[::1]:8080/", True),
        ("http://192.168.1.5/", True),
        ("http://app.localhost/", True),
        ("https://example.org/", False),
        ("https://localhost.example.org/", False),
        ("http://8.8.8.8/", False),
        ("about:blank", False),
        ("http://[bad", False),
    ],
)
def test_local_pages_are_told_by_their_address(url, local):
    assert is_local(url) is local


async def test_what_was_read_can_be_left_out_and_what_was_shown_can_be_forgotten(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("console.log('one'), console.error('bad'), 1")
    await said(tab, "bad")
    assert [message.text for message in await tab.console(new=True)] == ["one", "bad"]
    assert await tab.console(new=True) == []
    await tab.evaluate("console.log('two'), 1")
    await said(tab, "two")
    assert [message.text for message in await tab.console(new=True)] == ["two"]
    assert [error.text for error in await tab.errors(clear=True)] == ["bad"]
    assert await tab.errors() == []
    assert [message.text for message in await tab.console(clear=True)] == ["one", "two"]
    assert await tab.console() == []
