"""Downloads of tabs that programs control, as Playwright sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extension.test_fidelity import own_page
from tests.support.waiting import until, until_asked


@pytest.fixture
async def folder(pair, tmp_path):
    """Files end here instead of in the folder of the user who runs the tests."""
    _, chrome = pair
    socket = (await chrome.ask("/json/version"))["webSocketDebuggerUrl"]
    allowed = {"behavior": "allow", "downloadPath": str(tmp_path)}
    await chrome.command(socket, "Browser.setDownloadBehavior", **allowed)
    yield tmp_path
    await chrome.command(socket, "Browser.setDownloadBehavior", behavior="default")


LINKS = {
    "data": ("<a download='my report.txt' href='data:text/plain,hello'>get</a>", "my report.txt", b"hello"),
    "response": ("<a href='/file.bin'>get</a>", "file.bin", b"x" * 5_000),
    "new tab": ("<a href='/file.bin' target=_blank>get</a>", "file.bin", b"x" * 5_000),
}


def content_of(path):
    return Path(path).read_bytes()


@pytest.mark.parametrize("kind", LINKS)
async def test_a_download_has_its_name_and_its_file(pair, playwright, site, folder, kind):
    body, name, content = LINKS[kind]
    site._given["file.bin"] = ("application/octet-stream", b"x" * 5_000)
    async with own_page(pair[0], playwright) as page:
        await page.goto(site.page(body))
        async with page.expect_download() as coming:
            await page.click("a")
        download = await coming.value
        assert download.suggested_filename == name
        assert content_of(await download.path()) == content
        await download.save_as(folder / "saved")
        assert content_of(folder / "saved") == content
        assert await download.failure() is None


async def test_a_program_can_cancel_its_download(pair, playwright, site, folder):
    async with own_page(pair[0], playwright) as page:
        await page.goto(site.page("<a download href='/half'>get</a>"))
        async with page.expect_download() as coming:
            await page.click("a")
        download = await coming.value
        await download.cancel()
        assert await download.failure() == "canceled"


async def test_downloads_of_the_user_are_not_announced(pair, playwright, site, folder):
    _, chrome = pair
    site._given["mine.bin"] = ("application/octet-stream", b"mine")
    seen = []

    def note(download):
        seen.append(download)

    async with own_page(pair[0], playwright) as page:
        page.on("download", note)
        page.context.on("page", lambda other: other.on("download", note))
        users = await chrome.open(site.page("<a download href='/mine.bin'>get</a>"))
        await chrome.settled(users)
        await chrome.evaluate(users, "document.querySelector('a').click()")

        async def is_complete():
            return await chrome.in_worker(
                "chrome.downloads.search({urlRegex: 'mine.bin', state: 'complete'}).then(found => found.length)"
            )

        await until_asked(is_complete, named="the user's download is complete")
        await page.goto(site.page("<a download=own.txt href='data:,own'>get</a>"))
        async with page.expect_download() as coming:
            await page.click("a")
        await (await coming.value).path()
        await until(lambda: seen, named="the control: its own is announced")
        assert [download.suggested_filename for download in seen] == ["own.txt"]
