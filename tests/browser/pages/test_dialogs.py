"""Dialogs are answered or held by the tab's policy, storms are silenced, and no call hangs on any of them."""

import pytest

from boathook.engine.page import dialogs
from boathook.errors import BadSetting, BoathookError, DialogOpen, TabCrashed
from tests.support.engine import engine_of
from tests.support.timing import ends_within
from tests.support.waiting import PATIENCE, until


async def ask(tab, script):
    """Run a script in a task of the page's own and give the dialog that it opens."""
    await tab.evaluate(f"void setTimeout(() => {{ document.title = String({script}) }}, 0)")
    return await tab.wait_for_dialog(timeout=30)


@pytest.mark.parametrize(
    ("policy", "script", "expected"),
    [
        ("default", "alert('a')", ("accepted", "undefined")),
        ("accept", "confirm('a')", ("accepted", "true")),
        ("accept", "prompt('a', 'b')", ("accepted", "")),
        ("dismiss", "alert('a')", ("dismissed", "undefined")),
        ("dismiss", "confirm('a')", ("dismissed", "false")),
        ("dismiss", "prompt('a')", ("dismissed", "null")),
    ],
)
async def test_a_policy_answers_by_itself(tab, site, policy, script, expected):
    answer, title = expected
    await tab.goto(site.page("<p>x</p>"))
    await tab.set_dialog_policy(policy)
    assert (await ask(tab, script)).answer == answer
    assert tab.dialog is None
    await tab.wait_for_function("title => document.title === title", title, timeout=30)


@pytest.mark.parametrize(
    ("policy", "script"), [("default", "confirm('a')"), ("default", "prompt('a')"), ("hold", "alert('a')")]
)
async def test_a_dialog_is_held_until_it_is_answered(tab, site, policy, script):
    await tab.goto(site.page("<p>x</p>"))
    await tab.set_dialog_policy(policy)
    assert (await ask(tab, script)).answer == ""
    with ends_within(1), pytest.raises(DialogOpen):
        await tab.evaluate("1")
    await tab.answer_dialog(accept=True, text="words")
    assert await tab.evaluate("1 + 1") == 2


@pytest.mark.parametrize("script", ["ask()", "onload = ask"])
async def test_a_page_that_asks_while_it_loads_ends_the_navigation_at_once_and_loads_when_it_is_answered(
    tab, site, script
):
    page = site.page(f"<script>const ask = () => {{ document.title = confirm('a') }}; {script}</script>")
    for go in (lambda: tab.goto(page), tab.reload):
        with ends_within(3), pytest.raises(DialogOpen, match="a confirm dialog is open: 'a'"):
            await go()
        await tab.answer_dialog(accept=True)
        await tab.wait_for_load("load", timeout=30)
        assert await tab.title() == "true"
    assert tab.url == page


async def test_a_dialog_that_opens_right_after_the_page_has_loaded_does_not_delay_the_navigation(tab, site):
    page = site.page("<script>onload = () => setTimeout(() => { document.title = confirm('a') })</script>")
    with ends_within(3):
        assert (await tab.goto(page)).status == 200
    await tab.wait_for_dialog(timeout=30)
    await tab.answer_dialog(accept=False)
    assert await tab.title() == "false"


async def test_a_new_policy_settles_the_dialog_that_waits(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await ask(tab, "confirm('a')")
    await tab.set_dialog_policy("accept")
    assert tab.dialog is None
    await tab.wait_for_function("document.title === 'true'", timeout=30)


async def test_a_navigation_forgets_the_dialog_that_waited(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await ask(tab, "confirm('a')")
    await tab.goto(site.page("next", title="Next"), timeout=30)
    assert tab.dialog is None
    assert await tab.title() == "Next"


async def test_leaving_a_page_is_never_held(tab, site):
    await tab.goto(site.page("<button>x</button>"))
    await tab.set_dialog_policy("hold")
    await tab.click("text=x")
    await tab.evaluate("addEventListener('beforeunload', event => event.preventDefault()), 1")
    await tab.goto(site.page("next", title="Next"), timeout=30)
    assert await tab.title() == "Next"


async def test_an_unknown_policy_is_refused(tab):
    with pytest.raises(BadSetting, match="accept"):
        await tab.set_dialog_policy("maybe")


async def test_five_dialogs_are_no_storm(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("void setTimeout(() => { for (let i = 0; i < 5; i++) alert(i) }, 0)")
    await until(lambda: len(engine_of(tab).dialogs.answered) == 5, named="all five were answered")
    assert engine_of(tab).dialogs.muted == 0


@pytest.fixture
def storms_may_be_slow(monkeypatch):
    """What counts is how many come, not how fast this machine opens them."""
    monkeypatch.setattr(dialogs, "STORM_SECONDS", PATIENCE)


@pytest.mark.usefixtures("storms_may_be_slow")
async def test_a_storm_of_separate_dialogs_is_silenced_after_a_few(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.set_dialog_policy("dismiss")
    await tab.evaluate("window.rounds = 0, void setInterval(() => { rounds++; confirm('again') }, 1)")
    await tab.wait_for_function("rounds > 200", timeout=30)
    assert 1 <= engine_of(tab).dialogs.muted < 20
    assert "suppressed" in str(await tab.snapshot())


@pytest.mark.usefixtures("storms_may_be_slow")
async def test_a_loop_of_931_dialogs_is_not_drained_one_by_one(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("void setTimeout(() => { for (let i = 0; i < 931; i++) alert(i) }, 0)")
    with ends_within(5):
        try:
            await tab.evaluate("1", timeout=30)
        except BoathookError as error:
            assert isinstance(error, TabCrashed), error  # noqa: PT017 - either way out is right
    assert engine_of(tab).dialogs.muted < 900
    await tab.goto(site.page("<h1>Back</h1>"), timeout=30)
    view = str(await tab.snapshot())
    assert "Back" in view
    assert "dialogs" in view
    await tab.evaluate("alert('one')")
    assert engine_of(tab).dialogs.answered[-1].message == "one"


@pytest.mark.usefixtures("storms_may_be_slow")
async def test_a_storm_ends_with_its_page(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("void setTimeout(() => { for (let i = 0; i < 9; i++) alert(i) }, 0)")
    await until(lambda: engine_of(tab).dialogs.muted == 4, named="the rest is muted")
    await tab.goto(site.page("<p>y</p>"))
    assert (await ask(tab, "confirm('a')")).message == "a"
    await tab.answer_dialog(accept=True)


@pytest.mark.parametrize("round_", range(4))
async def test_a_page_that_opens_dialogs_all_the_time_can_be_left(tab, site, round_):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("void setInterval(() => alert(1), 0)")
    await tab.evaluate("1 + 1")
    with ends_within(8):
        await tab.goto(site.page("<p>y</p>", title="Next"), timeout=30)
    assert await tab.title() == "Next"


async def test_a_dialog_is_accepted_with_words_or_dismissed(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await ask(tab, "prompt('Who?')")
    assert (await tab.accept_dialog("Ann")).message == "Who?"
    await tab.wait_for_function("document.title === 'Ann'", timeout=30)
    await ask(tab, "confirm('Sure?')")
    assert (await tab.dismiss_dialog()).message == "Sure?"
    await tab.wait_for_function("document.title === 'false'", timeout=30)
