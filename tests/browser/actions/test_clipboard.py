"""The clipboard: read and written without the page noticing, and never a user's without being told to."""

import pytest

import boathook
from boathook.errors import BadRequest, TargetError
from tests.support.chromium import foreign_chromium, port_of

FIELDS = "<textarea id=a autofocus>from the field</textarea><textarea id=b></textarea>"
SPY = """<script>window.seen = [];
for (const type of ['copy', 'paste', 'cut', 'beforeinput', 'input', 'blur', 'focus']) addEventListener(type, () => seen.push(type), true);
</script>"""


async def test_what_is_written_is_read_and_pasted(tab, site):
    await tab.goto(site.page(FIELDS))
    await tab.clipboard_write("grüße 👋\nzweite Zeile")
    assert await tab.clipboard_read() == "grüße 👋\nzweite Zeile"
    await tab.focus("#b")
    await tab.paste()
    assert await tab.evaluate("b.value") == "grüße 👋\nzweite Zeile"


async def test_what_a_page_copies_is_read(tab, site):
    await tab.goto(site.page(FIELDS))
    await tab.press("Control+A", "#a")
    await tab.copy()
    assert await tab.clipboard_read() == "from the field"


@pytest.mark.parametrize(
    "body", ["<p>no field at all</p>", "<input type=password autofocus>", "<button autofocus>x</button>"]
)
async def test_it_works_wherever_the_focus_is(tab, site, body):
    await tab.goto(site.page(body))
    await tab.clipboard_write(f"for {body[:12]}")
    assert await tab.clipboard_read() == f"for {body[:12]}"


async def test_it_works_on_pages_that_have_no_clipboard_of_their_own(tab):
    await tab.goto("data:text/html,<p>x</p>")
    assert await tab.evaluate("typeof navigator.clipboard") == "undefined"
    await tab.clipboard_write("insecure")
    assert await tab.clipboard_read() == "insecure"


async def test_the_page_hears_nothing_and_keeps_its_fields(tab, site):
    await tab.goto(site.page(FIELDS + SPY))
    await tab.clipboard_write("quiet")
    assert await tab.clipboard_read() == "quiet"
    assert await tab.evaluate("[a.value, b.value, seen.filter(type => type !== 'focus')]") == [
        "from the field",
        "",
        [],
    ]
    await tab.focus("#b")
    await tab.paste()
    assert "paste" in await tab.evaluate("seen"), "the positive control"


async def test_no_permission_is_left_behind(tab, site):
    await tab.goto(site.page(FIELDS))
    ask = "navigator.permissions.query({name: 'clipboard-read'}).then(found => found.state)"
    before = await tab.evaluate(ask)
    await tab.clipboard_write("x")
    await tab.clipboard_read()
    assert await tab.evaluate(ask) == before != "granted"


async def test_a_field_in_a_frame_of_the_same_site_is_left_alone(tab, site):
    inner = site.page("<textarea id=t>keep</textarea><script>t.focus()</script>")
    await tab.goto(site.page(f"<iframe id=f src='{inner}'></iframe>"))
    await tab.evaluate("f.contentDocument.querySelector('textarea').focus()")
    await tab.clipboard_write("not for the frame")
    assert await tab.clipboard_read() == "not for the frame"
    assert await tab.evaluate("f.contentDocument.querySelector('textarea').value") == "keep"


async def test_nothing_is_pasted_into_a_frame_of_another_site(tab, site):
    inner = site.page("<textarea>keep</textarea>").replace("127.0.0.1", "localhost")
    await tab.goto(site.page(f"<iframe src='{inner}'></iframe><input id=i>"))
    await tab.click("css=textarea")
    with pytest.raises(TargetError, match="cross-site frame"):
        await tab.clipboard_read()
    assert 'value="keep"' in str(await tab.snapshot()) or "keep" in str(await tab.snapshot())
    await tab.focus("#i")
    await tab.clipboard_write("now")
    assert await tab.clipboard_read() == "now"


async def test_wrong_values_are_refused(tab, site):
    await tab.goto(site.page(FIELDS))
    for wrong in (None, 5, b"bytes", "x" * 1_000_001):
        with pytest.raises(BadRequest):
            await tab.clipboard_write(wrong)


async def test_a_users_clipboard_is_left_alone_unless_allowed(site):
    with foreign_chromium() as (_process, profile):
        async with await boathook.attach(await port_of(profile)) as theirs:
            tab = await theirs.open(site.page(FIELDS))
            for call in (tab.clipboard_read, tab.copy, tab.paste, lambda: tab.clipboard_write("x")):
                with pytest.raises(BadRequest, match="allow=True"):
                    await call()
            await tab.clipboard_write("allowed", allow=True)
            assert await tab.clipboard_read(allow=True) == "allowed"
