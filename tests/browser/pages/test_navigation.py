"""Loading pages: matched by loader, waited for, and typed when it fails."""

import pytest

from boathook.errors import BadRequest, BadUrl, ConnectionFailed, NameNotResolved, NavigationFailed
from tests.support.site import dead_port


async def test_goto_waits_for_the_load_event(tab, site):
    url = site.page("<script>addEventListener('load', () => { document.title = 'loaded' })</script>")
    await tab.goto(url)
    assert await tab.title() == "loaded"
    assert tab.url == url


async def test_goto_follows_redirects_and_reports_where_it_ended(tab, site):
    end = site.page("end")
    await tab.goto(site.url(f"redirect?to={end}"))
    assert tab.url == end


async def test_a_page_that_replaces_itself_at_once_is_followed(tab, site):
    end = site.page("<p>end</p>", title="End")
    start = site.page(f"<script>location.replace('{end}')</script>")
    await tab.goto(start)
    await tab.wait_for_url(end)
    await tab.wait_for_load()
    assert await tab.title() == "End"


async def test_a_step_to_a_fragment_does_not_wait_for_a_load(tab, site):
    url = site.page("<h1 id=there>There</h1>")
    await tab.goto(url)
    await tab.goto(url + "#there", timeout=30)
    assert tab.url.endswith("#there")


async def test_domcontentloaded_does_not_wait_for_a_slow_image(tab, site):
    url = site.page("<h1>Ready</h1><img src=/never>")
    await tab.goto(url, wait_until="domcontentloaded", timeout=30)
    assert '"Ready"' in str(await tab.snapshot())
    await tab.evaluate("stop()")


async def test_network_idle_waits_for_requests_after_load(tab, site):
    other = site.page("data")
    url = site.page(
        f"<script>addEventListener('load', () => fetch('{other}').then(reply => reply.text()).then(() => document.title = 'fetched'))</script>"
    )
    await tab.goto(url, wait_until="networkidle")
    assert await tab.title() == "fetched"


async def test_history_goes_back_and_forward(tab, site):
    one, two = site.page("one", title="One"), site.page("two", title="Two")
    await tab.goto(one)
    await tab.goto(two)
    await tab.back()
    assert (tab.url, await tab.title()) == (one, "One")
    await tab.forward()
    assert (tab.url, await tab.title()) == (two, "Two")
    with pytest.raises(BadRequest, match="no page to go forward to"):
        await tab.forward()


async def test_back_works_inside_one_document(tab, site):
    url = site.page("<script>history.pushState(1, '', '#second')</script>")
    await tab.goto(url)
    await tab.back()
    assert tab.url == url


async def test_reload_loads_a_new_document(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("window.mark = 1")
    await tab.reload()
    assert await tab.evaluate("window.mark") is None


async def test_a_refused_connection_is_a_typed_error(tab):
    with pytest.raises(ConnectionFailed, match="connection refused"):
        await tab.goto(f"http://127.0.0.1:{dead_port()}/")


async def test_after_a_failed_load_the_tab_says_where_it_is(tab, site):
    await tab.goto(site.page("before"))
    with pytest.raises(ConnectionFailed):
        await tab.goto(f"http://127.0.0.1:{dead_port()}/")
    assert tab.url == "chrome-error://chromewebdata/"
    assert "chrome-error://" in (await tab.snapshot()).text.splitlines()[0]


async def test_an_empty_answer_is_a_typed_error(tab, site):
    with pytest.raises(ConnectionFailed):
        await tab.goto(site.url("empty"))


async def test_a_download_or_an_empty_status_says_that_no_page_came(tab, site):
    await tab.goto(site.page("before", title="Before"))
    for path in ("nothing", "download"):
        with pytest.raises(NavigationFailed, match="did not load a page"):
            await tab.goto(site.url(path))
    assert await tab.title() == "Before"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "   ",
        "http://",
        "http://a b/",
        "http://[::1",
        "http://host:99999/",
        "ht!tp://x",
        "http://%00/",
        "x\ny",
        "\x00",
    ],
)
async def test_a_malformed_address_is_refused_before_the_browser_sees_it(tab, address):
    with pytest.raises(BadUrl):
        await tab.goto(address)


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/hostname",
        "FILE:///etc/hostname",
        "chrome://settings",
        "javascript:alert(1)",
        "view-source:http://x/",
        "about:config",
    ],
)
async def test_files_and_pages_of_the_browser_need_to_be_allowed(tab, address):
    with pytest.raises(BadUrl):
        await tab.goto(address)


async def test_an_unknown_host_is_a_typed_error(browser_with):
    started = await browser_with(switches=["--host-resolver-rules=MAP nowhere.example ~NOTFOUND"])
    with pytest.raises(NameNotResolved) as caught:
        await started.open("http://nowhere.example/")
    assert caught.value.evidence["tab"] == "t1"
