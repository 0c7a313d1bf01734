"""What the policy wants confirmed is put to the user through the client; a client that cannot ask gets an error that says so."""

import mcp_types as types
import pytest

from tests.mcp.clients import ERAS, code_of, text_of

PAGE = "<button onclick=\"document.querySelector('p').textContent='Gone'\">Delete</button><p role=status></p>"
DELETE = {"kind": "click", "target": "text=Delete"}


@pytest.fixture(scope="module")
def careful(tmp_path_factory):
    """A home whose user wants to be asked before clicks."""
    from tests.mcp.clients import Home
    from tests.mcp.conftest import stop

    home = Home(tmp_path_factory.mktemp("careful"))
    home.configure('confirm_actions = ["click"]\n')
    yield home
    stop(home)


def answering(action, asked):
    async def answer(context, params):
        asked.append(params.message)
        return types.ElicitResult(action=action, content={})

    return answer


@pytest.mark.parametrize("era", ERAS)
async def test_a_yes_lets_the_call_go_on_and_a_no_does_not(careful, site, era):
    page = site.page(PAGE)
    for action, happens in (("decline", False), ("cancel", False), ("accept", True)):
        asked = []
        async with careful.client(mode=era, elicitation_callback=answering(action, asked)) as client:
            await client.call_tool("open", {"url": page})
            clicked = await client.call_tool("act", DELETE)
            assert len(asked) == 1
            assert f'click button "Delete" @e1 on {page} (tab t1)' in asked[0]
            assert clicked.is_error is not happens, text_of(clicked)
            status = text_of(await client.call_tool("read", {"format": "text", "target": "role=status"}))
            assert ("Gone" in status) is happens


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask_is_told_what_to_do(careful, site, era):
    async with careful.client(mode=era) as client:
        await client.call_tool("open", {"url": site.page(PAGE)})
        refused = await client.call_tool("act", DELETE)
        assert code_of(refused) == "confirmation_required"
        assert "ask the user" in text_of(refused)
        again = await client.call_tool("act", DELETE)
        assert code_of(again) == "confirmation_required", "asking twice is no yes"
