"""The network log keeps the latest requests with their outcomes."""

import pytest

from boathook.engine.events.event_log import RING_LIMIT
from boathook.engine.network.log.network_log import Request
from boathook.errors import BadRequest, PageError
from tests.support.engine import engine_of
from tests.support.site import dead_port
from tests.support.waiting import until


async def test_a_page_and_its_parts_are_logged_with_status_type_and_size(tab, site):
    page = site.page(
        "<img src=/missing.png><script>fetch('/json?status=503').then(answer => answer.text())</script>"
    )
    await tab.goto(page, wait_until="networkidle")
    log = await tab.requests()
    by_type = {request.type: request for request in log}
    assert by_type["Document"].url == page
    assert by_type["Document"].status == 200
    assert by_type["Document"].received_bytes > 100
    assert 0 < by_type["Document"].seconds < 30
    assert by_type["Document"].at > 1e9
    assert by_type["Image"].status == 404
    assert by_type["Fetch"].status == 503
    assert by_type["Fetch"].mime == "application/json"
    assert [request.type for request in await tab.requests(failed=True)] == ["Image", "Fetch"]


async def test_requests_are_found_by_pattern_method_and_mark(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("fetch('/json?a').then(answer => answer.text())")
    mark = tab.mark
    await tab.evaluate("fetch('/json?b', {method: 'POST', body: 'data'}).then(answer => answer.text())")
    assert [request.url[-1] for request in await tab.requests("/json?")] == ["a", "b"]
    assert [request.url[-1] for request in await tab.requests("/json?", since=mark)] == ["b"]
    assert [request.method for request in await tab.requests(method="post")] == ["POST"]
    assert await tab.requests("nowhere") == []


async def test_a_redirect_is_two_requests(tab, site):
    page = site.page("<p>x</p>")
    await tab.goto(site.url(f"redirect?to={page}"))
    assert [request.status for request in await tab.requests()] == [302, 200]


async def test_a_request_that_never_got_an_answer_has_a_reason(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate(f"fetch('http://127.0.0.1:{dead_port()}/x', {{mode: 'no-cors'}}).catch(() => 1)")
    await until(lambda: engine_of(tab).network.problems_since(0), named="the failure is in the log")
    (failed,) = await tab.requests(failed=True)
    assert failed.failure == "net::ERR_CONNECTION_REFUSED"
    assert failed.status == 0


async def test_a_body_is_read_on_demand_and_cut_at_its_limit(tab, site):
    await tab.goto(site.page("é" * 1000))
    (page,) = await tab.requests(type=["document"])
    body = await tab.response_body(page.number)
    assert "é" * 1000 in body.text
    assert (body.cut, body.mime) == (False, "text/html")
    short = await tab.response_body(page.number, limit=10)
    assert (len(short.data), short.cut, short.size) == (10, True, body.size)


async def test_a_body_that_is_not_there_is_an_error_that_says_why(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    with pytest.raises(BadRequest, match="no such request: 123456"):
        await tab.response_body(123456)
    await tab.evaluate("void fetch('/never')")
    pending = await tab.wait_for_request("/never", timeout=30)
    with pytest.raises(PageError, match="none yet"):
        await tab.response_body(pending.number)


async def test_the_ring_keeps_the_latest(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate(
        f"(async () => {{ for (let i = 0; i < {RING_LIMIT + 5}; i++) await fetch('/nothing?' + i) }})()",
        timeout=50,
    )
    assert len(await tab.requests()) == RING_LIMIT
    assert engine_of(tab).network.dropped == 6
    assert (await tab.requests())[-1].url.endswith(f"nothing?{RING_LIMIT + 4}")


async def test_data_addresses_are_not_logged(tab, site):
    await tab.goto(
        site.page("<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"), wait_until="networkidle"
    )
    assert [request.type for request in await tab.requests() if "favicon" not in request.url] == ["Document"]


@pytest.mark.parametrize(
    ("url", "type", "status", "failure", "benign"),
    [
        ("http://x/favicon.ico", "Other", 404, "", True),
        ("http://x/favicon-32.png", "Image", 404, "", True),
        ("http://x/favicon.ico", "Other", 0, "net::ERR_FAILED", True),
        ("http://x/apple-touch-icon-120.png?v=2", "Image", 404, "", True),
        ("http://x/favicon.ico", "Other", 500, "", False),
        ("http://x/favicon.ico", "Fetch", 404, "", False),
        ("http://x/app.js", "Script", 404, "", False),
        ("http://x/favicon.ico", "Other", 200, "", False),
    ],
)
def test_a_missing_icon_is_no_problem(url, type, status, failure, benign):
    request = Request(number=1, method="GET", url=url, type=type, status=status, failure=failure)
    assert request.benign is benign


@pytest.mark.parametrize(
    ("request_", "api"),
    [
        ({"type": "Fetch", "url": "http://x/a"}, True),
        ({"type": "Document", "url": "http://x/api/v1"}, True),
        ({"type": "Document", "url": "http://x/a", "method": "POST"}, True),
        ({"type": "Other", "url": "http://x/a", "mime": "application/ld+json"}, True),
        ({"type": "Image", "url": "http://x/apiary.png"}, False),
    ],
)
def test_calls_of_a_pages_own_code_are_told_from_its_parts(request_, api):
    assert Request(**{"number": 1, "method": "GET", **request_}).api_like is api


@pytest.mark.parametrize("address", ["/given/0", "/half"], ids=["short", "never whole"])
async def test_an_answer_that_no_script_reads_keeps_nobody_waiting(tab, site, address):
    """Chromium never calls such a fetch finished."""
    site.page("x" * 20_000)
    await tab.goto(site.page(f"<input aria-label=Name oninput='fetch(\"{address}\")'>"))
    report = await tab.fill("label=Name", "Ada")
    assert report._done.changes.settled
    await tab.wait_for_network_idle(timeout=30)
    assert [request.status for request in await tab.requests(address)] == [200]


async def test_a_whole_answer_that_no_script_reads_can_be_waited_for(tab, site):
    site.page("x" * 20_000)
    await tab.goto(site.page("<button onclick='fetch(\"/given/0\")'>Go</button>"))
    await tab.click("text=Go")
    answer = await tab.wait_for_response("/given/0", timeout=30)
    assert (answer.status, answer.finished) == (200, True)


async def test_a_fetch_that_brings_more_is_waited_for(tab, site):
    """The control: a response that has not started is pending."""
    await tab.goto(site.page("<input aria-label=Name oninput='fetch(\"/never\")'>"))
    report = await tab.fill("label=Name", "Ada")
    assert not report._done.changes.settled
