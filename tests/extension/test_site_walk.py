"""Every method of the protocol, aimed at a denied site from an allowed tab: nothing of that site comes back."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.extension.test_sites import AUTO, FRAMES, driving, limit, log_in, sites
from tests.support.thorough import sample
from tests.support.two_sites import ALLOWED, DENIED
from tests.support.waiting import until_asked

__all__ = ["sites"]
SECONDS = 3
AT_ONCE = 60
LEFT_OUT = {
    "Browser.close": "ends the connection",
    "Browser.crash": "ends the browser",
    "Debugger.pause": "stops the page",
    "Emulation.setDisplayFeaturesOverride": "crashes Chromium 156",
    "Emulation.setVirtualTimePolicy": "stops the page",
    "Input.synthesizeScrollGesture": "takes seconds",
    "Page.close": "ends the tab",
    "Page.crash": "ends the tab",
    "Page.waitForDebugger": "stops the page",
    "Runtime.terminateExecution": "ends other commands",
    "Target.closeTarget": "tests/extension/test_limits.py",
    "Target.detachFromTarget": "ends the session",
}
SIMPLE = {
    "boolean": True,
    "integer": 1,
    "number": 1,
    "string": "x",
    "binary": "eA==",
    "array": [],
    "object": {},
}
PREPARED = (
    "Page",
    "Runtime",
    "DOM",
    "Network",
    "Log",
    "Audits",
    "Accessibility",
    "CSS",
    "Overlay",
    "Debugger",
)
STORED = """
(async () => {
  localStorage.mark = 'MARK';
  await (await caches.open('kept')).put('/kept', new Response('MARK'));
  await new Promise((done) => { const wanted = indexedDB.open('MARK', 1); wanted.onsuccess = done });
  console.log('MARK');
  return 1;
})()
"""
MOST_CALLS = 260
LOADED = "Network.loadNetworkResource"
FAMILIES = {
    "Network.getAllCookies": (lambda _url: {}, "page"),
    "Network.getCookies": (lambda url: {"urls": [url]}, "page"),
    "Storage.getCookies": (lambda _url: {}, "page"),
    "Target.getTargets": (lambda _url: {}, "browser"),
}
"""Methods that return something of every site in the browser, with their parameters."""


def known_values(sites, target_id):
    """What would lead to the denied site, by the name of a parameter."""
    origin = sites.url("", DENIED)
    url, key = f"{origin}/probe", f"{origin}/"
    cookie = {"name": "probe", "value": "x", "url": url}
    return {
        **dict.fromkeys(("url", "requestURL", "scopeURL", "initialUrl"), url),
        **dict.fromkeys(
            ("origin", "securityOrigin", "ownerOrigin", "issuerOrigin", "embeddedOrigin"), origin
        ),
        **dict.fromkeys(("frameId", "targetId", "rootFrameId"), target_id),
        "urls": [url],
        "origins": [origin],
        "storageKey": key,
        "storageId": {"securityOrigin": origin, "storageKey": key, "isLocalStorage": True},
        "cacheId": f"{key}|0|kept",
        "domain": DENIED,
        "name": "sid",
        "cookies": [cookie],
        "options": {"disableCache": True, "includeCredentials": True},
        "expression": "1",
        "storageTypes": "all",
        "offline": False,
        "patterns": [{"urlPattern": "*://nowhere.invalid/*"}],
        "autoAttach": True,
        "flatten": True,
    }


def calls_of(protocol, known):
    """Each method with what it needs, and with all that it takes."""
    for domain in protocol["domains"]:
        kinds = {kind["id"]: kind for kind in domain.get("types", [])}
        for command in domain.get("commands", []):
            name = f"{domain['domain']}.{command['name']}"
            if name in LEFT_OUT:
                continue
            every = command.get("parameters", [])
            for chosen in ([one for one in every if not one.get("optional")], every):
                yield name, {one["name"]: value_of(one, kinds, known) for one in chosen}
                if len(chosen) == len(every):
                    break


def value_of(parameter, kinds, known):
    if parameter["name"] in known:
        return known[parameter["name"]]
    kind = kinds.get(parameter.get("$ref"), parameter)
    return (kind.get("enum") or parameter.get("enum") or [SIMPLE.get(kind.get("type"), "x")])[0]


class Walk:
    """Calls many methods, each on the page and at browser level; a page that one of them ends is opened again."""

    def __init__(self, driven, url):
        self.client, self.url = driven.client, url
        self.session, self.target_id = driven.session, driven.target["id"]
        self.replies = []  # pairs, since methods are called several times
        self.ended_by = []

    async def prepare(self):
        for domain in PREPARED:
            await self.client.send(f"{domain}.enable", session=self.session)
        await self.client.send("Target.setAutoAttach", AUTO, session=self.session)

    async def run(self, calls):
        calls = [(*one, level) for one in calls for level in ("page", "browser")]
        for start in range(0, len(calls), AT_ONCE):
            batch = calls[start : start + AT_ONCE]
            replies = await asyncio.gather(*(self.call(*one) for one in batch))
            if await self.is_alive():
                self.replies += replies
                continue
            await self.reopen()
            await self.one_by_one(batch)

    async def one_by_one(self, calls):
        for one in calls:
            self.replies.append(await self.call(*one))
            if not await self.is_alive():
                self.ended_by.append(one[0])
                await self.reopen()

    async def call(self, method, params, level):
        session = self.session if level == "page" else None
        try:
            return method, await self.client.whole(method, params, session=session, seconds=SECONDS)
        except TimeoutError:
            return method, {"error": {"message": "no reply"}}

    async def is_alive(self):
        async def stands():
            _, reply = await self.call("Runtime.evaluate", {"expression": "location.href"}, "page")
            return reply.get("result", {}).get("result", {}).get("value") == self.url

        try:
            return await until_asked(stands, named="the page stands", seconds=SECONDS)  # it may be reloading
        except AssertionError:
            return False

    async def reopen(self):
        made = await self.client.send("Target.createTarget", {"url": self.url})
        self.target_id = made["targetId"]
        self.session = (await self.client.send("Target.attachToTarget", made))["sessionId"]
        await self.prepare()


@pytest.mark.timeout(240)
async def test_no_method_of_the_protocol_returns_anything_of_a_denied_site(own_pair, sites):
    pair = own_pair
    _, chrome = pair
    await log_in(pair, sites, ALLOWED, DENIED)
    mark = sites.marks[DENIED]
    shut = await chrome.open(sites.denied("/open"))
    await chrome.settled(shut)
    assert await chrome.evaluate(shut, STORED.replace("MARK", mark)) == 1
    protocol = await chrome.ask("/json/protocol")
    before = FRAMES.replace("SOURCES", json.dumps([sites.denied("/frame")]))
    async with driving(pair, sites.url("/walk"), before, deny=[DENIED]) as driven:
        walk = Walk(driven, sites.url("/walk"))
        await walk.prepare()
        await driven.client.send("Target.setDiscoverTargets", {"discover": True})
        sites.requests.clear()
        await walk.run(sample(calls_of(protocol, known_values(sites, shut["id"])), MOST_CALLS))
        replies = walk.replies
        assert len(walk.ended_by) < 5, walk.ended_by
        page = sites.denied("/frame")  # the allowed page itself contains this URL
        assert [method for method, reply in replies if mark in json.dumps(reply).replace(page, "")] == []
        assert [event for event in driven.client.events if mark in json.dumps(event).replace(page, "")] == []
        assert sites.sent_to(DENIED) == []
        assert await chrome.evaluate(shut, "localStorage.mark") == mark, "it was not changed either"
        await log_in(pair, sites, ALLOWED)  # some of all methods delete what is the allowed site's
        assert await control(walk, sites, sites.marks[ALLOWED], ALLOWED) == set(FAMILIES), (
            "the allowed site is there"
        )
        await limit(pair, deny=[])
        assert await control(walk, sites, mark, DENIED) == {*FAMILIES, LOADED}, (
            "without the list it comes back"
        )


async def control(walk, sites, mark, host):
    """The methods that return the mark of a site, of those that can."""
    url = sites.url("/probe", host)
    told = [await walk.call(name, params(url), level) for name, (params, level) in FAMILIES.items()]
    wanted = {
        "frameId": walk.target_id,
        "url": url,
        "options": {"disableCache": True, "includeCredentials": True},
    }
    _, loaded = await walk.call(LOADED, wanted, "page")
    if stream := loaded.get("result", {}).get("resource", {}).get("stream"):
        told.append((LOADED, (await walk.call("IO.read", {"handle": stream}, "page"))[1]))
    return {method for method, reply in told if mark in json.dumps(reply)}
