"""Tabs behind others are kept painted, seen from both sides of the relay."""

from __future__ import annotations

from tests.relay.fake_extension import row
from tests.support.waiting import until

FRAME = {"data": "", "metadata": {}, "sessionId": 3}


def casts(extension):
    return [
        (params["method"].rpartition(".")[2], params["params"].get("maxWidth"))
        for params in extension.called("debugger.send")
        if params["method"] in {"Page.startScreencast", "Page.stopScreencast"}
    ]


async def drive(client, extension, tab_id):
    await client.send("Target.setAutoAttach", {"autoAttach": True, "flatten": True})
    target = f"TARGET{tab_id}"
    await until(lambda: target in str(client.seen("Target.attachedToTarget")), named="the tab is announced")
    session = next(
        event["sessionId"]
        for event in client.seen("Target.attachedToTarget")
        if event["targetInfo"]["targetId"] == target
    )
    await client.send("Page.enable", session=session)
    await client.send("DOM.getDocument", session=session)
    return session


async def test_a_tab_of_a_program_is_painted_and_its_frames_are_not_for_clients(client, extension):
    await extension.tell("tab.changed", tab=row(9, origin="agent"), changed={"created": True})
    session = await drive(client, extension, 9)
    assert casts(extension) == [("startScreencast", 4)]
    await extension.event(9, "Page.screencastFrame", FRAME)
    await client.send("Page.startScreencast", {"maxWidth": 700}, session=session)
    await extension.event(9, "Page.screencastFrame", FRAME)
    await until(lambda: client.seen("Page.screencastFrame"), named="the control: its own frames are")
    assert len(client.seen("Page.screencastFrame")) == 1
    await client.send("Page.stopScreencast", session=session)
    assert casts(extension)[1:] == [
        ("stopScreencast", None),
        ("startScreencast", 700),
        ("stopScreencast", None),
        ("startScreencast", 4),
    ]


async def test_a_tab_of_the_user_is_not(client, extension):
    await drive(client, extension, 1)
    assert casts(extension) == []
