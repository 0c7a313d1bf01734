"""Leaving a page that opens dialogs: answers that come late belong to the try during which they were given."""

import asyncio
from typing import TYPE_CHECKING, cast

from boathook.cdp.errors_map import NavigationInProgress
from boathook.engine.events.event_log import EventLog
from boathook.engine.page.dialogs import Dialogs

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession


class Page:
    """A session that opens dialogs on demand, and can report that an answer found no dialog."""

    def __init__(self):
        self.listeners = {}
        self.answers = []

    def on(self, event, listener):
        self.listeners[event] = listener

    def post(self, _method, **_params):
        self.answers.append(asyncio.get_running_loop().create_future())
        return self.answers[-1]

    def open_dialog(self):
        self.listeners["Page.javascriptDialogOpening"]({"type": "alert", "message": "1"})

    async def lose(self, number):
        self.answers[number].set_exception(
            NavigationInProgress(
                "handleJavaScriptDialog", number=-32000, text="Not attached to an active page"
            )
        )
        await turns()


async def turns():
    """Let everything happen that can happen now."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_an_answer_of_an_earlier_try_does_not_break_off_the_present_one():
    page, tries = Page(), []
    dialogs = Dialogs(EventLog())
    dialogs.watch(cast("CdpSession", page), main=True)

    async def navigate():
        tries.append(asyncio.get_running_loop().create_future())
        await tries[-1]

    leaving = asyncio.ensure_future(dialogs.navigate_past(navigate))
    await turns()
    page.open_dialog()
    page.open_dialog()
    await page.lose(0)
    assert len(tries) == 2, "the control: a dialog that nobody can answer asks for another try"
    await page.lose(1)
    assert len(tries) == 2
    tries[-1].set_result(None)
    await leaving
