"""Routes abort, answer, delay and change requests; whatever goes wrong, no request is left waiting."""

import json

import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest, BadSetting, NavigationFailed, PolicyBlocked, Unsupported
from boathook.service.input.command_line import read_line, table_of
from tests.support.engine import engine_of
from tests.support.waiting import until

READ = "(url, more) => fetch(url, more).then(async a => [a.status, await a.text()], e => [0, e.message])"


async def fetched(tab, url, more=None):
    return await tab.evaluate(READ, url, more or {}, timeout=30)


@pytest.fixture
async def routed(browser, site):
    """A tab in a separate context, so that its routes are not shared."""
    tab = await browser.open(site.page("<p>x</p>"), isolated=True)
    yield tab
    await tab.close()


async def test_an_aborted_request_fails_with_its_reason_and_others_pass(routed):
    await routed.network_route("**/json?no", abort=True, reason="connectionrefused")
    assert await fetched(routed, "/json?no") == [0, "Failed to fetch"]
    assert await fetched(routed, "/json?yes") == [200, '{"answer": 42}']
    stopped, passed = await routed.requests("/json?")
    assert (stopped.routed, stopped.failure) == ("aborted", "net::ERR_CONNECTION_REFUSED")
    assert (passed.routed, passed.status) == ("", 200)


async def test_an_answer_of_our_own_never_reaches_the_server(routed, site, tmp_path):
    await routed.network_route("/mine?a", body='{"name": "Ann"}', status=201, headers={"X-Own": "yes"})
    (tmp_path / "page.html").write_text("<title>From a file</title>")
    await routed.network_route("/mine?b", file=tmp_path / "page.html")
    asked = len(site.requests)
    assert await fetched(routed, "/mine?a") == [201, '{"name": "Ann"}']
    (answer,) = await routed.requests("/mine?a")
    assert (answer.routed, answer.status, answer.mime) == ("fulfilled", 201, "application/json")
    assert await routed.evaluate("fetch('/mine?a').then(a => a.headers.get('x-own'))") == "yes"
    await routed.goto(site.url("mine?b"))
    assert await routed.title() == "From a file"
    assert not any("mine" in path for path in site.requests[asked:])


async def test_the_newest_route_that_fits_decides_and_one_for_some_requests_ends(routed):
    await routed.network_route("/json", body="old")
    await routed.network_route("/json", body="new", times=2)
    answers = [(await fetched(routed, "/json"))[1] for _ in range(3)]
    assert answers == ["new", "new", "old"]
    assert [(route.action, route.hits, route.times) for route in await routed.network_routes()] == [
        ("fulfill", 2, 2),
        ("fulfill", 1, None),
    ]


async def test_a_route_can_be_for_some_types_only(routed, site):
    await routed.network_route("**/*", abort=True, resource_type=["image,font"])
    await routed.goto(site.page("<img src=/json?image onerror='document.title=`stopped`'>"))
    await routed.wait_for_function("document.title === 'stopped'", timeout=30)
    assert (await fetched(routed, "/json?fetch"))[0] == 200


async def test_a_request_is_changed_on_its_way_out(routed, site):
    await routed.network_route(
        "/echo?a", request_headers={"X-Added": "one"}, remove_headers=["x-gone"], request_method="post"
    )
    _, text = await fetched(routed, "/echo?a", {"headers": {"X-Gone": "1", "X-Stays": "2"}})
    sent = json.loads(text.partition("<pre>")[2].partition("</pre>")[0])
    assert (sent.get("x-added"), sent.get("x-gone"), sent.get("x-stays")) == ("one", None, "2")
    await routed.network_route("/elsewhere", redirect=site.url("json?b"))
    assert await fetched(routed, "/elsewhere") == [200, '{"answer": 42}']
    assert site.requests[-1] == "/json?b"
    assert [request.routed for request in await routed.requests("/elsewhere")] == ["changed"]


async def test_a_request_that_goes_elsewhere_meets_no_second_route(routed, site):
    await routed.network_route("/json", abort=True)
    await routed.network_route("/elsewhere", redirect=site.url("json?c"))
    assert await fetched(routed, "/elsewhere") == [200, '{"answer": 42}']
    assert [route.hits for route in await routed.network_routes()] == [1, 0]


async def test_an_answer_is_changed_on_its_way_back(routed):
    await routed.network_route("/json", response_status=503, response_headers={"X-Changed": "yes"})
    answer = await routed.evaluate(
        "fetch('/json').then(async a => [a.status, a.headers.get('x-changed'), await a.text()])"
    )
    assert answer == [503, "yes", '{"answer": 42}']


async def test_a_delay_holds_a_request_back_and_lets_it_go(routed):
    await routed.network_route("/json", delay=0.4)
    took = (
        "(async () => { const t = performance.now(); await fetch('/json'); return performance.now() - t })()"
    )
    assert await routed.evaluate(took, timeout=30) >= 390
    assert [request.routed for request in await routed.requests("/json")] == ["delayed"]


async def test_scripts_of_another_origin_may_read_an_answer_that_allows_them(routed, site):
    foreign = f"{site.other_origin}/api"
    ask = {"method": "PUT", "headers": {"X-Own": "1"}}
    await routed.network_route("/api", body="mine")
    assert (await fetched(routed, foreign, ask))[0] == 0, "the control: without permission"
    await routed.network_route("/api", body="mine", allow_origin="*", resource_type=["fetch"])
    assert await fetched(routed, foreign, ask) == [200, "mine"]


async def test_routes_end_when_they_are_removed(routed):
    await routed.network_route("/json", abort=True)
    await routed.network_route("/echo", abort=True)
    assert [item.pattern for item in await routed.network_unroute("/json")] == ["/json"]
    assert (await fetched(routed, "/json"))[0] == 200
    assert (await fetched(routed, "/echo"))[0] == 0
    assert len(await routed.network_unroute()) == 1
    assert (await fetched(routed, "/echo"))[0] == 200
    assert await routed.network_routes() == []
    with pytest.raises(BadRequest, match="no route"):
        await routed.network_unroute("/json")


async def test_frames_of_other_processes_have_the_routes_from_their_first_request_on(routed, site):
    await routed.network_route("/json?inner", body="document.body.append('routed inside')")
    inner = site.page("<script src=/json?inner></script>").replace(site.origin, site.other_origin)
    for _ in range(3):
        await routed.goto(site.page(f"<iframe src='{inner}'></iframe>"))
        await routed.wait_for_text("routed inside", timeout=30)


async def test_popups_and_tabs_that_come_later_have_the_routes(routed, site):
    popup = site.page("never shown")
    await routed.network_route(popup, body="<!doctype html><title>Routed</title>")
    await routed.goto(site.page(f"<a target=_blank href='{popup}'>Open</a>"))
    await routed.click("text=Open")
    opened = await routed.wait_for_tab(timeout=30)
    await opened.wait_for_function("document.title === 'Routed'", timeout=30)


async def test_routes_of_one_session_are_not_those_of_another(routed, browser, tab):
    await routed.network_route("**", abort=True)
    with pytest.raises(NavigationFailed):
        await routed.goto("http://127.0.0.1:1/")
    other = await browser.open(isolated=True)
    assert await other.network_routes() == []
    await other.close()


async def test_credentials_and_routes_work_together(routed, site):
    await routed.set_credentials("ann", "secret")
    await routed.network_route("/json", body="mine")
    assert (await fetched(routed, "/auth"))[0] == 200
    assert await fetched(routed, "/json") == [200, "mine"]
    await routed.set_credentials(None)
    assert await fetched(routed, "/json?again") == [200, "mine"]
    await routed.network_unroute()
    assert await fetched(routed, "/json") == [200, '{"answer": 42}']


async def test_a_route_that_the_browser_refuses_fails_the_request_and_says_so(routed):
    await routed.network_route("/json", body="x")
    route = engine_of(routed).interception.traffic._routes[0]
    object.__setattr__(route.answer, "headers", {"no name\n": "x"})
    assert (await fetched(routed, "/json"))[0] == 0
    (told,) = await routed.network_routes()
    assert told.trouble


async def test_headers_given_with_an_address_go_to_its_origin_only(routed, site):
    await routed.goto(site.url("echo"), headers={"X-Test": "one"})
    assert json.loads(await routed.evaluate("document.body.innerText"))["x-test"] == "one"
    await routed.goto(f"{site.other_origin}/echo")
    assert "x-test" not in json.loads(await routed.evaluate("document.body.innerText"))
    await routed.goto(site.url("echo?again"), headers={})
    assert "x-test" not in json.loads(await routed.evaluate("document.body.innerText"))


async def test_a_tab_that_closes_leaves_no_delayed_answer_behind(browser, site):
    tab = await browser.open(site.page("<p>x</p>"), isolated=True)
    await tab.network_route("/json", delay=0.3)
    await tab.evaluate("void fetch('/json')")
    await until(lambda: engine_of(tab).interception.traffic.routes()[0].hits, named="the request is held")
    await tab.close()
    await until(lambda: not engine_of(browser).connection.pending, named="nothing is left")


@pytest.mark.parametrize(
    ("wish", "error", "says"),
    [
        ({}, BadRequest, "has no action"),
        ({"abort": True, "body": "x"}, BadRequest, "conflicting actions: --abort and --body"),
        ({"status": 200, "request_method": "PUT"}, BadRequest, "conflicting actions"),
        ({"body": "x", "file": "y"}, BadRequest, "not both"),
        ({"status": 99}, BadSetting, "invalid status: 99"),
        ({"response_status": 1000}, BadSetting, "invalid response status: 1000"),
        ({"file": "/nowhere/at/all"}, BadRequest, "cannot be read"),
        ({"abort": True, "resource_type": ["picture"]}, BadSetting, "unknown resource type"),
        ({"abort": True, "resource_type": ["websocket"]}, BadSetting, "cannot be routed"),
        ({"body": "x", "headers": {"bad name": "1"}}, BadSetting, "invalid header"),
        ({"request_method": "not one"}, BadSetting, "invalid method"),
        ({"reason": "failed"}, BadRequest, "requires --abort"),
        ({"delay": 1000}, BadSetting, "between 0 and 60"),
    ],
)
async def test_a_wish_that_cannot_be_is_one_clear_error(lasting_tab, wish, error, says):
    if "file" in wish:
        from pathlib import Path

        wish = {**wish, "file": Path(wish["file"])}
    with pytest.raises(error, match=says):
        await lasting_tab.network_route("/x", **wish)
    assert await lasting_tab.network_routes() == []


@pytest.mark.parametrize("pattern", ["", "re:[", "x" * 3000])
async def test_a_pattern_that_means_nothing_is_refused(lasting_tab, pattern):
    with pytest.raises(BadRequest, match=r"pattern|regular expression"):
        await lasting_tab.network_route(pattern, abort=True)


async def test_a_redirect_stays_within_the_limits_on_hosts(lasting_tab, monkeypatch):
    from boathook.engine.hosts.host_policy import HostPolicy

    monkeypatch.setattr(engine_of(lasting_tab).browser, "host_policy", HostPolicy.of(allowed=["127.0.0.1"]))
    with pytest.raises(PolicyBlocked):
        await lasting_tab.network_route("/x", redirect="https://example.org/")


def test_what_belongs_to_the_start_of_a_browser_is_refused_with_a_way_out():
    """Before any session or browser is started."""
    table = table_of(catalogue())
    with pytest.raises(Unsupported) as refused:
        read_line(["set", "proxy", "http://127.0.0.1:1"], table)
    assert "--fresh --proxy" in refused.value.marked_hint
    with pytest.raises(Unsupported, match="client certificate"):
        read_line(["set", "client-certificate", "me.p12"], table)
