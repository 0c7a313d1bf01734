"""Sessions of the daemon, worked in from Python."""

import pytest

import boathook
from tests.support.program import Program

pytestmark = pytest.mark.slow
FORM = "<label>Name <input></label><button onclick=\"document.querySelector('p').textContent='Hello'\">Greet</button><p></p>"


@pytest.fixture
def program(tmp_path, monkeypatch):
    made = Program(tmp_path)
    for name in ("HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, made.environment[name])
    monkeypatch.chdir(made.work)
    yield made
    made.stop()


async def test_python_and_the_command_line_work_in_one_session(program, site):
    page = site.page(FORM, title="Form")
    async with boathook.connect(session="shared") as remote:
        arrived = await remote.goto(page)
        assert arrived.page["url"] == page
        assert "Form" in str(arrived)
        assert program("--session", "shared", "fill", "label=Name", "Ann").returncode == 0
        assert (await remote.get_value("label=Name")).data == "Ann"
        clicked = await remote.click("text=Greet", count=1)
        assert clicked.change["kind"] == "mutation"
        assert "Hello" in clicked.text
        picked = await remote.screenshot(for_model=True)
        assert picked.pictures[0][:4] == b"\x89PNG"
    assert program("--session", "shared", "get", "title").stdout == "Form\n", "leaving does not close it"


async def test_what_fails_raises_the_same_error_as_in_a_browser_of_our_own(program, site):
    async with boathook.connect() as remote:
        await remote.run("goto", url=site.page(FORM))
        with pytest.raises(boathook.errors.StaleRef, match="@e999") as caught:
            await remote.click("@e999")
        assert caught.value.hint
        with pytest.raises(boathook.errors.BadRequest, match="between 1 and 3"):
            await remote.click("text=Greet", count=9)
        with pytest.raises(AttributeError, match="no such command: 'clik'"):
            remote.clik  # noqa: B018 - it is looking it up that fails
        with pytest.raises(TypeError, match="takes 1 positional arguments"):
            await remote.click("a", "b")


async def test_words_that_are_left_and_settings_are_sent_along(program, site):
    page = site.page("<select multiple aria-label=Fruit><option>Fig<option>Kiwi<option>Plum</select>")
    async with boathook.connect(session="fruit", viewport="500x400") as remote:
        await remote.goto(page)
        assert (await remote.select("label=Fruit", "Fig", "Plum")).data["value"] == ["Fig", "Plum"]
        assert (await remote.evaluate("innerWidth")).data == 500
        await remote.goto(site.page("<input type=file aria-label=File>"))
        (program.work / "a.txt").write_text("a")
        assert (await remote.upload("label=File", program.work / "a.txt")).data["names"] == ["a.txt"]
    async with boathook.connect(session="fruit", fresh=True) as remote:
        assert (await remote.url()).data == "about:blank"
        await remote.goto(page)
        assert (await remote.url()).data == page, "it is started afresh once"
