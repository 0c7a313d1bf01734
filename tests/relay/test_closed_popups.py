"""Popups that never become a tab, seen from both sides of the relay."""

from __future__ import annotations

import pytest

from boathook.relay.sessions import closed_popups
from tests.relay.fake_extension import row
from tests.support.waiting import until

OPENED = {"url": "about:blank", "windowName": "_blank", "windowFeatures": [], "userGesture": True}


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(closed_popups, "GRACE_SECONDS", 0.1)


async def drive(client):
    await client.send("Target.setAutoAttach", {"autoAttach": True, "flatten": True})
    session = client.seen("Target.attachedToTarget")[0]["sessionId"]
    await client.send("DOM.getDocument", session=session)
    client.events.clear()


async def test_a_window_that_never_becomes_a_tab_is_announced_as_closed(client, extension):
    await drive(client)
    await extension.event(1, "Page.windowOpen", OPENED)
    await until(lambda: client.seen("Target.detachedFromTarget"), named="it is announced as closed")
    (attached,) = client.seen("Target.attachedToTarget")
    assert attached["targetInfo"]["openerId"] == "TARGET1"
    assert attached["targetInfo"]["url"] == "about:blank"
    assert client.seen("Target.detachedFromTarget")[0]["sessionId"] == attached["sessionId"]


def answer_settled(extension):
    link = extension.relay.profile.link
    number = next(iter(link._pending))
    link.take_answer({"id": number, "result": {}})


async def test_a_window_that_is_a_tab_is_announced_once(client, extension):
    await drive(client)
    asked = []
    extension.answers["tabs.settled"] = lambda _params: asked.append(1)  # the test answers
    for number in (1, 2):
        await extension.event(1, "Page.windowOpen", OPENED)
        await until(lambda number=number: len(asked) == number, named="the relay asks")
        if number == 1:  # it is a tab before the answer
            tab = row(9, url="about:blank", openerTabId=1)
            await extension.tell("tab.changed", tab=tab, changed={"created": True})
            await until(lambda: client.seen("Target.attachedToTarget"), named="it is announced")
        answer_settled(extension)
    await until(lambda: client.seen("Target.detachedFromTarget"), named="the control: the second is closed")
    announced = [event["targetInfo"]["targetId"] for event in client.seen("Target.attachedToTarget")]
    assert announced[0] == "TARGET9"
    assert len(announced) == 2


async def test_a_window_that_chrome_may_have_blocked_is_not_announced(client, extension):
    await drive(client)
    await extension.event(1, "Page.windowOpen", {**OPENED, "userGesture": False})
    await extension.event(1, "Page.windowOpen", OPENED)
    await until(lambda: client.seen("Target.detachedFromTarget"), named="the control: the second one is")
    assert len(client.seen("Target.attachedToTarget")) == 1
