"""Only web URLs are opened: not files, not the browser's own pages, in no spelling and by no detour of a page."""

from contextlib import suppress

import pytest

from boathook.engine.hosts.urls import normalize_url
from boathook.errors import BadUrl, BoathookError
from tests.support.engine import engine_of
from tests.support.thorough import sample
from tests.support.waiting import until

REFUSED = [
    "file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd", "file:etc/passwd", "file://localhost/etc/passwd", " file:///etc/passwd",
    "file:\\\\\\etc\\passwd", "fIlE:///c:/", "file://", "view-source:file:///etc/passwd", "view-source:https://example.org/",
    "VIEW-SOURCE:https://example.org/", "chrome://settings", "chrome://version/", "CHROME://gpu", "chrome:settings", "chrome-untrusted://x/",
    "chrome-extension://abc/x.html", "chrome-search://local-ntp/", "chrome-error://chromewebdata/", "devtools://devtools/bundled/inspector.html",
    "about:settings", "about:version", "about:gpu", "ABOUT:CONFIG", "about:blank#x/../settings", "javascript:alert(1)", "JavaScript:alert(1)",
    " javascript:alert(1)", "javascript://example.org/%0aalert(1)", "vbscript:x", "jar:https://example.org!/x", "filesystem:https://example.org/temporary/x",
    "ftp://example.org/", "ws://example.org/", "wss://example.org/", "mailto:a@example.org", "intent://x#Intent;end", "ms-settings:x",
    "edge://settings", "brave://settings", "vscode://file/etc/passwd", "ssh://example.org", "gopher://example.org", "ldap://example.org",
    "isolated-app://x", "java\nscript:alert(1)", "fi\tle:///etc/passwd", "\x00file:///etc/passwd", "https://exam\nple.org",
    "", " ", "https://", "https:///", "http://:80/", "http://@/", "https://?", "://example.org", "/etc/passwd", "\\\\server\\share",
]  # fmt: skip


@pytest.mark.parametrize("address", REFUSED)
def test_what_is_no_web_address_is_not_opened(address):
    with pytest.raises(BadUrl):
        assert normalize_url(address) is None


DETOURS = {
    "window": "window.open({file}); 1",
    "location": "location.href = {file}; 1",
    "frame": "document.body.append(Object.assign(document.createElement('iframe'), {{ src: {file} }}))",
    "link": "Object.assign(document.body.appendChild(document.createElement('a')), {{ href: {file} }}).click()",
    "form": "Object.assign(document.body.appendChild(document.createElement('form')), {{ action: {file} }}).submit()",
    "refresh": "document.head.append(Object.assign(document.createElement('meta'), {{ httpEquiv: 'refresh', content: '0; url=' + {file} }}))",
    "redirect": "location.href = '/redirect?to=' + encodeURIComponent({file}); 1",
    "fetch": "fetch({file}).then(answer => answer.text()).then(text => document.title = text, () => 0); 1",
}


@pytest.fixture
def marked(tmp_path):
    """A file that must not be read."""
    file = tmp_path / "marked.html"
    file.write_text("<!doctype html><title>marked file</title>the marked file")
    return file


async def take(tab, site, way, address):
    """Let a web page try one detour to a URL."""
    await tab.goto(site.page("<p>a page", title="Harmless"))
    script = DETOURS[way].format(file=repr(address))
    with suppress(BoathookError):  # the page may be gone before it can answer
        await tab.evaluate(f"() => {{ {script} }}")


def shown(browser):
    """The URLs of all documents."""
    return {frame.url for known in engine_of(browser).tabs for frame in known.frames}


@pytest.mark.parametrize("way", sample(DETOURS, 8))
async def test_a_page_does_not_get_at_files_by_any_detour(browser, tab, site, marked, way):
    await take(tab, site, way, marked.as_uri())
    for _round in range(3):  # the browser loads other pages meanwhile, so it had its time
        fence = await browser.open(site.page("fence"))
        await fence.close()
    addresses = shown(browser)
    assert addresses
    assert not [address for address in addresses if address.startswith("file:")]
    assert "marked file" not in {page.title for page in await browser.pages()}


@pytest.mark.parametrize("way", [way for way in sample(DETOURS, 8) if way != "fetch"])
async def test_the_same_detours_lead_to_a_page_of_the_web(browser, tab, site, way):
    address = site.page("elsewhere").replace(site.origin, site.other_origin)
    await take(tab, site, way, address)
    await until(
        lambda: [item for item in shown(browser) if item.startswith(address)],
        named="the page of the web is shown",
    )


async def test_the_marked_file_is_there_for_whoever_may_open_files(browser_with, marked):
    allowed = await browser_with(allow_schemes=["file"])
    tab = await allowed.open(marked.as_uri())
    await until(lambda: tab.url.startswith("file:"), named="the file is open")
    assert await tab.title() == "marked file"
