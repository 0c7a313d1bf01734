"""The lists of sites as rules: which URLs, hosts, cookies, commands and events they concern."""

from __future__ import annotations

import pytest

from boathook.relay.rules.site_replies import denied_parameter
from boathook.relay.rules.site_rules import SiteRules, host_of
from tests.relay.fake_extension import row
from tests.support.waiting import until

DENY = SiteRules(deny=("bank.test", "127.0.0.1", "[::1]"))
ALLOW = SiteRules(allow=("open.test", "www.shop.test"))


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Bank.test:8443/x?y#z", "bank.test"),
        ("blob:https://bank.test/0-1", "bank.test"),
        ("view-source:https://bank.test/", "bank.test"),
        ("filesystem:https://bank.test/temporary/x", "bank.test"),
        ("https://bank.test/^0https://open.test", "bank.test"),
        ("http://[::1]:80/", "[::1]"),
        ("about:blank", ""),
        ("data:text/html,https://bank.test/", ""),
        ("://", ""),
        ("null", ""),
    ],
)
def test_the_host_of_a_page(url, host):
    assert host_of(url) == host


@pytest.mark.parametrize(
    "url",
    [
        "https://bank.test/",
        "https://www.bank.test./",
        "wss://bank.test",
        "blob:https://bank.test/0",
        "http://127.0.0.1/",
        "http://[::1]/",
    ],
)
def test_denied_urls(url):
    assert DENY.why_not(url).startswith("the user has denied")
    assert DENY.why_not("https://notbank.test/") == ""
    assert SiteRules().why_not(url) == ""


@pytest.mark.parametrize(
    "url",
    [
        "https:\\\\bank.test/",
        "https://open.test\\@bank.test/",
        "https://open.test@bank.test/",
        "https://b%61nk.test/",
        "https://ｂank.test/",
        "ht\ttps://bank.test/",
        " https://bank.test/",
        "https:bank.test/",
        "https:/bank.test/",
        "https:///bank.test/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://0177.0.0.1/",
        "HTTPS://BANK.TEST/",
        "file:///etc/passwd",
    ],
)
def test_urls_that_browsers_read_differently_are_not_taken_from_clients(url):
    assert DENY.why_not_given(url)


@pytest.mark.parametrize(
    "url", ["https://open.test/a?b#c", "http://10.0.0.1:8080/", "about:blank", "data:,x"]
)
def test_plain_urls_are_taken_from_clients(url):
    assert DENY.why_not_given(url) == ""


@pytest.mark.parametrize("name", ["origin", "securityOrigin", "url", "requestURL", "storageKey"])
@pytest.mark.parametrize(
    "value", ["https://bank.test/", "https:/bank.test", "HTTPS:\\\\bank.test", "//bank.test"]
)
def test_parameters_that_name_a_site(name, value):
    assert denied_parameter({"bucket": {name: value}}, DENY)
    assert denied_parameter({name: "https://open.test/"}, DENY) == ""
    assert denied_parameter({"storageKey": "https://open.test/^0https://bank.test"}, DENY)


def test_a_cookie_of_a_domain_belongs_to_its_allowed_subdomains_too():
    assert ALLOW.why_not_cookie(".shop.test") == ""
    assert ALLOW.why_not_cookie("shop.test")
    assert ALLOW.why_not_cookie("www.shop.test") == ""
    assert ALLOW.why_not_cookie(".other.test")
    assert ALLOW.why_not_cookie("shop.test\\@open.test")
    assert DENY.why_not_cookie(".bank.test")
    assert DENY.why_not_cookie("a.bank.test")


async def test_events_about_a_request_wait_until_its_site_is_known(extension, client):
    """Chrome may report headers, with cookies, before the request itself."""
    session = await attached(extension, client)
    for number, url in (("1", "https://site-1.test/own"), ("2", "https://bank.test/secret")):
        await extension.event(
            1, "Network.requestWillBeSentExtraInfo", {"requestId": number, "headers": {"cookie": url}}
        )
        await extension.event(1, "Network.requestWillBeSent", {"requestId": number, "request": {"url": url}})
        await extension.event(1, "Network.responseReceived", {"requestId": number, "response": {"url": url}})
    await extension.event(1, "Network.madeUp", {"url": "https://bank.test/secret"})
    await extension.event(1, "Network.loadingFinished", {"requestId": "1"})
    await client.send("Runtime.evaluate", {"expression": "1"}, session=session)
    seen = [event["method"] for event in client.events if event["method"].startswith("Network.")]
    assert seen == [
        "Network.requestWillBeSent",
        "Network.requestWillBeSentExtraInfo",
        "Network.responseReceived",
        "Network.loadingFinished",
    ]
    assert await client.send("Network.getResponseBody", {"requestId": "1"}, session=session)
    assert "No resource" in await client.error("Network.getResponseBody", {"requestId": "2"}, session=session)


async def attached(extension, client):
    """A session on a tab with a debugger, under a list that denies a bank."""
    await extension.tell("settings", allow=[], deny=["bank.test"])
    await client.send("Target.setAutoAttach", {"autoAttach": True, "flatten": True})
    session = client.seen("Target.attachedToTarget")[0]["sessionId"]
    await client.send("Network.enable", session=session)
    await client.send("Runtime.evaluate", {"expression": "1"}, session=session)
    return session


async def test_frames_of_a_denied_site_have_no_session_and_are_resumed(extension, client):
    await attached(extension, client)
    for number, url in enumerate(("https://bank.test/", "https://other.test/")):
        info = {"targetId": f"F{number}", "type": "iframe", "url": url, "title": "", "attached": True}
        params = {"sessionId": f"S{number}", "targetInfo": info, "waitingForDebugger": True}
        await extension.event(1, "Target.attachedToTarget", params)
    session = client.seen("Target.attachedToTarget")[0]["sessionId"]
    await client.send("Runtime.evaluate", {"expression": "1"}, session=session)
    targets = (await client.send("Target.getTargets"))["targetInfos"]
    assert [target["url"] for target in targets if target["type"] == "iframe"] == ["https://other.test/"]
    asked = [(call.get("sessionId"), call["method"]) for call in extension.called("debugger.send")]
    assert ("S0", "Runtime.runIfWaitingForDebugger") in asked
    assert "bank.test" not in str(client.events)


async def test_a_page_restored_from_memory_ends_the_tab_before_anything_is_told(extension, client):
    session = await attached(extension, client)
    frame = {
        "id": "TARGET1",
        "loaderId": "L",
        "url": "https://bank.test/",
        "securityOrigin": "https://bank.test",
    }
    extension.answers["debugger.send"] = lambda _params: None
    waiting = client.post("Runtime.evaluate", {"expression": "document.body.innerText"}, session=session)
    await until(lambda: "innerText" in str(extension.calls), named="Chrome has the command")
    await extension.event(1, "Page.frameNavigated", {"frame": frame, "type": "BackForwardCacheRestore"})
    reply = await waiting
    assert "the user has denied bank.test" in reply["error"]["message"]
    assert extension.called("tab.detach")[-1] == {"tabId": 1}
    assert "https://bank.test" not in str(client.events)


async def test_a_tab_of_a_site_that_is_denied_meanwhile_is_gone_at_once(relay, extension, client):
    """Before the extension reports it: a client may ask in between."""
    await extension.tell("settings", allow=[], deny=["site-1.test"])
    await until(lambda: relay.profile.settings.get("deny"), named="the relay knows the list")
    listed = (await client.send("Target.getTargets"))["targetInfos"]
    assert [target["url"] for target in listed] == ["https://site-2.test/"]
    await extension.tell("tab.changed", tab=row(1), changed={})
    await extension.tell("tab.changed", tab=row(3), changed={})
    await until(lambda: 3 in relay.profile.tabs, named="the control: another tab is reported")
    assert sorted(relay.profile.tabs) == [2, 3]
