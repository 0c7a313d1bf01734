"""Commands with parameters of any type: each is answered, with the protocol's code, and everything else goes on."""

from __future__ import annotations

import asyncio
import json

import pytest
from websockets.asyncio.client import connect

INVALID = (5, -1.5, True, "x", [], [[]], {}, {"a": {}}, None, 10**30, "\x00", [5], ["x", {}])
BROWSER = {
    "Target.createTarget": ("url", "browserContextId", "background"),
    "Target.detachFromTarget": ("sessionId", "targetId"),
    "Target.attachToTarget": ("targetId", "flatten"),
    "Target.closeTarget": ("targetId",),
    "Target.getTargetInfo": ("targetId",),
    "Target.setAutoAttach": ("autoAttach", "filter"),
    "Target.setDiscoverTargets": ("discover", "filter"),
    "Browser.setDownloadBehavior": ("behavior", "downloadPath", "eventsEnabled"),
    "Browser.grantPermissions": ("permissions", "origin"),
    "Browser.setPermission": ("permission", "setting", "origin"),
    "Storage.getCookies": ("browserContextId",),
    "Storage.setCookies": ("cookies",),
    "Storage.clearCookies": ("browserContextId",),
    "Made.up": ("anything",),
}
PAGE = {
    "Page.navigate": ("url", "frameId"),
    "Page.createIsolatedWorld": ("frameId", "worldName"),
    "Page.addScriptToEvaluateOnNewDocument": ("source", "worldName", "method", "target_session"),
    "Page.removeScriptToEvaluateOnNewDocument": ("identifier",),
    "Page.setLifecycleEventsEnabled": ("enabled",),
    "Page.navigateToHistoryEntry": ("entryId",),
    "Fetch.enable": ("patterns", "handleAuthRequests"),
    "Runtime.evaluate": ("expression", "contextId", "uniqueContextId"),
    "Runtime.callFunctionOn": ("functionDeclaration", "executionContextId", "objectId"),
    "DOM.getDocument": ("depth", "pierce"),
    "DOM.describeNode": ("depth", "nodeId"),
    "DOM.requestChildNodes": ("depth", "nodeId"),
    "Target.setAutoAttach": ("autoAttach", "filter"),
    "Target.detachFromTarget": ("sessionId",),
    "Storage.clearCookies": ("browserContextId",),
    "Network.setCookies": ("cookies",),
}


def encoded(number, method, params, session=None):
    where = {"sessionId": session} if session else {}
    return json.dumps({"id": number, "method": method, "params": params, **where})


async def replies_to(socket, texts):
    """The replies by number; events are left out."""
    for text in texts:
        await socket.send(text)
    waiting = {json.loads(text)["id"]: text for text in texts}
    seen = {}
    try:
        async with asyncio.timeout(20):
            while waiting:
                message = json.loads(await socket.recv())
                if "id" in message:
                    del waiting[message["id"]]
                    seen[message["id"]] = message
    except TimeoutError:
        raise AssertionError(f"not answered: {list(waiting.values())[:5]}") from None
    return seen


def commands(table, session=None):
    pairs = [
        (method, {name: value}) for method, names in table.items() for name in names for value in INVALID
    ]
    return [encoded(number, method, params, session) for number, (method, params) in enumerate(pairs, 10)]


@pytest.mark.parametrize(("is_attached", "limits"), [(False, {}), (True, {"deny": ["denied.test"]})])
async def test_every_command_with_parameters_of_any_type_is_answered(relay, extension, is_attached, limits):
    await extension.tell("settings", **limits)
    link = relay.profile.link
    async with connect(relay.url, proxy=None, max_size=None) as socket:
        await replies_to(socket, commands(BROWSER))
        attach = {"targetId": "TARGET1", "flatten": True}
        session = (await replies_to(socket, [encoded(1, "Target.attachToTarget", attach)]))[1]["result"][
            "sessionId"
        ]
        if is_attached:
            await replies_to(
                socket, [encoded(2, "DOM.enable", {}, session), encoded(3, "DOM.x", {}, session)]
            )
            assert relay.profile.tabs[1].is_live
        await replies_to(socket, commands(PAGE, session))
        again = (await replies_to(socket, [encoded(5, "Target.attachToTarget", attach)]))[5]["result"]
        answer = (await replies_to(socket, [encoded(6, "Runtime.x", {}, again["sessionId"])]))[6]
        assert answer.get("result") == {"echo": "Runtime.x"}, f"good commands go on: {answer}"
    assert relay.profile.link is link, "the extension stayed connected"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Target.createTarget", {"url": {}}),
        ("Target.createTarget", {"url": "about:blank", "browserContextId": []}),
        ("Target.detachFromTarget", {"sessionId": []}),
        ("Target.detachFromTarget", {"sessionId": "nobody"}),
        ("Target.attachToTarget", {"targetId": {}}),
    ],
)
async def test_a_malformed_command_gets_the_code_for_invalid_parameters(client, method, params):
    answer = await client.whole(method, params, seconds=10)
    assert answer["error"]["code"] == -32602
    assert await client.send("Browser.getVersion"), "and the connection stays"


@pytest.mark.parametrize("number", [10**30, 2**31, 1.5, True, None, "1"])
async def test_a_command_with_an_impossible_id_is_answered_without_one(relay, extension, number):
    async with connect(relay.url, proxy=None) as socket:
        await socket.send(json.dumps({"id": number, "method": "Browser.getVersion"}))
        answer = json.loads(await asyncio.wait_for(socket.recv(), 10))
        assert answer["error"]["code"] == -32600
        assert "id" not in answer
        assert (await replies_to(socket, [encoded(7, "Browser.getVersion", {})]))[7]["result"]
