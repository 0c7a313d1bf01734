"""Downloads arrive whole, under safe names, where they are wanted; what is not whole is never called saved."""

import unicodedata
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathook.engine.files.file_names import LONGEST_ENCODED, LONGEST_NAME, keep_as, safe_name
from boathook.errors import BadRequest, NavigationFailed, PageError, TimedOut
from tests.support.chromium import foreign_chromium, port_of
from tests.support.engine import engine_of
from tests.support.thorough import sample
from tests.support.timing import ends_within
from tests.support.waiting import until

BIDI = "\u202e"
NAMES = [
    ("report.pdf", "report.pdf"),
    ("../../etc/passwd", "passwd"),
    ("..\\..\\windows\\system.ini", "system.ini"),
    ("/absolute/path.txt", "path.txt"),
    ("C:\\x.txt", "x.txt"),
    (".bashrc", "bashrc"),
    ("...", "download"),
    ("", "download"),
    ("   ", "download"),
    ("CON", "_CON"),
    ("con.txt", "_con.txt"),
    ("LPT1.log", "_LPT1.log"),
    ("nul.", "_nul"),
    ("console.txt", "console.txt"),
    (f"invoice{BIDI}fdp.exe", "invoicefdp.exe"),
    ("a\x00b\x1fc.txt", "abc.txt"),
    ("line\nbreak.txt", "linebreak.txt"),
    ("zero\u200bwidth.txt", "zerowidth.txt"),
    ("trailing. . .", "trailing"),
    ('q<u>e:s"t|i?o*n.txt', "q_u_e_s_t_i_o_n.txt"),
    ("-rf", "rf"),
    ("~root", "root"),
    ("a" * 300 + ".txt", "a" * 116 + ".txt"),
    ("full\uff0fwidth.txt", "width.txt"),
    ("ümlaut ä.txt", "ümlaut ä.txt"),
    ("e\u0301.txt", "é.txt"),
    ("%2e%2e%2fx", "_2e_2e_2fx"),
    ("half\ud800pair.txt", "halfpair.txt"),
    ("日本語.txt", "日本語.txt"),
]


@pytest.mark.parametrize(("hostile", "safe"), NAMES)
def test_a_name_from_a_stranger_is_made_safe(hostile, safe):
    assert safe_name(hostile) == safe


@given(
    st.text(alphabet=st.characters(), max_size=400) | st.text(alphabet="./\\\x00 ~-CONconnul", max_size=30)
)
def test_whatever_the_name_it_stays_in_its_folder(tmp_path_factory, text):
    name = safe_name(text)
    assert 0 < len(name) <= LONGEST_NAME + 1
    assert len(name.encode()) <= LONGEST_ENCODED + 1
    assert name == Path(name).name
    assert name[0] != "."
    assert name[-1] not in ". "
    assert not any(unicodedata.category(character) in {"Cc", "Cf", "Cs"} for character in name)


def hostile_names():
    """Two hundred names that servers might send."""
    starts = [
        "",
        ".",
        "..",
        "../",
        "..\\",
        "/",
        "\\\\host\\",
        "C:",
        "~",
        "-",
        "CON",
        "nul.",
        BIDI,
        "a\x01",
        "\u200b",
        "x" * 250,
        "é",
        "💥",
        "%2e%2e/",
        "a;b",
    ]
    ends = ["", ".", "x", ".txt", "/passwd", "\\..\\x", f"{BIDI}gpj.exe", " ", ".tar.gz", "\n\r.html"]
    return [start + end for start in starts for end in ends]


@pytest.mark.slow
async def test_hostile_names_all_end_in_the_folder_and_none_overwrites_another(tab, site, tmp_path):
    await tab.goto(site.page("<p>x</p>"))
    folder = tmp_path / "kept"
    names = sample(hostile_names(), 67)  # of 200; 67 shares no factor with the ten endings
    paths = []
    for number, name in enumerate(names):
        address = f"/named?size={number + 1}&name={quote(name, safe='')}"
        if not name:
            address = f"/named?size={number + 1}&name=%20"
        await tab.evaluate("address => { location.href = address }", address)
        download = await tab.wait_for_download(folder, timeout=30)
        assert download.size == number + 1 == download.path.stat().st_size
        paths.append(download.path)
    assert len(set(paths)) == len(names)
    assert sorted(folder.iterdir()) == sorted(paths)
    assert {path.parent for path in paths} == {folder}
    assert [path for path in tmp_path.iterdir() if path != folder] == []


async def test_a_download_may_be_over_before_it_is_waited_for(tab, site, tmp_path):
    await tab.goto(site.page("<a href=/named?name=report.txt&size=5000>Get it</a>"))
    await tab.click("text=Get it")
    await until(
        lambda: engine_of(tab).downloads.find_unclaimed(0) is not None,
        seconds=30,
        named="the download is over",
    )
    download = await tab.wait_for_download(tmp_path, timeout=30)
    assert download.path == tmp_path / "report.txt"
    assert (download.size, download.suggested_name) == (5000, "report.txt")
    assert download.url == site.url("named?name=report.txt&size=5000")
    assert download.path.read_bytes() == b"x" * 5000


async def test_a_click_and_its_download_are_one_command(tab, site, tmp_path):
    await tab.goto(site.page("<a href=/named?name=report.txt&size=5000>Get it</a><button>Nothing</button>"))
    download = await tab.download("text=Get it", tmp_path, timeout=30)
    assert download.path == tmp_path / "report.txt"
    assert download.path.read_bytes() == b"x" * 5000
    with pytest.raises(TimedOut, match="waiting for a download"):
        await tab.download("text=Nothing", tmp_path, timeout=2)
    assert [path.name for path in tmp_path.iterdir()] == ["report.txt"]


async def test_a_click_whose_download_takes_its_time_to_begin_is_a_click(tab, site, tmp_path):
    begin = "location = '/named?name=late.txt&late=0.4'"
    await tab.goto(site.page(f'<button onmousedown="{begin}">Get it</button>'))
    assert "late.txt" in str(await tab.click("text=Get it"))
    assert (await tab.wait_for_download(tmp_path)).path.name == "late.txt"


async def test_a_name_that_is_taken_gets_a_number(tab, site, tmp_path):
    (tmp_path / "x.bin").write_text("mine")
    await tab.goto(site.page("<p>x</p>"))
    for expected in ("x (2).bin", "x (3).bin"):
        with pytest.raises(NavigationFailed):
            await tab.goto(site.url("download"))
        assert (await tab.wait_for_download(tmp_path, timeout=30)).path.name == expected
    assert (tmp_path / "x.bin").read_text() == "mine"


async def test_without_a_folder_a_download_lives_as_long_as_the_browser(browser_with, site):
    started = await browser_with()
    tab = await started.open(site.page("<p>x</p>"))
    await tab.evaluate("location.href = '/download'")
    download = await tab.wait_for_download(timeout=30)
    assert download.path.read_bytes() == b"data"
    await started.close()
    assert not download.path.exists()


async def test_a_download_of_a_blob_and_one_of_a_popup_belong_to_the_tab(tab, site, tmp_path):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate(
        "() => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['made here'])); a.download = 'made.txt'; a.click() }"
    )
    made = await tab.wait_for_download(tmp_path, timeout=30)
    assert (made.path.name, made.path.read_text()) == ("made.txt", "made here")
    await tab.evaluate("void window.open('/download')")
    assert (await tab.wait_for_download(tmp_path, timeout=30)).path.name == "x.bin"


async def test_a_download_in_an_isolated_tab_is_taken_over_too(browser, site, tmp_path):
    tab = await browser.open(site.page("<p>x</p>"), isolated=True)
    await tab.evaluate("location.href = '/download'")
    assert (await tab.wait_for_download(tmp_path, timeout=30)).size == 4
    await tab.close()


async def test_a_download_that_does_not_end_is_never_reported_and_can_be_cancelled(tab, site, tmp_path):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("location.href = '/endless'")
    await until(lambda: engine_of(tab).downloads.since(0), named="the download has begun")
    with ends_within(3), pytest.raises(TimedOut, match=r"endless.bin' inProgress"):
        await tab.wait_for_download(tmp_path, timeout=1.5)
    assert list(tmp_path.iterdir()) == []
    assert await tab.cancel_downloads() == 1
    with pytest.raises(PageError, match="cancelled"):
        await tab.wait_for_download(tmp_path, timeout=30)
    assert list(tmp_path.iterdir()) == []


async def test_a_download_that_breaks_off_is_an_error_and_leaves_nothing(tab, site, tmp_path):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("location.href = '/broken'")
    with pytest.raises(PageError, match="interrupted"):
        await tab.wait_for_download(tmp_path, timeout=30)
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_that_cannot_be_written_is_refused(tab, site, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("x")
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("location.href = '/download'")
    with pytest.raises(BadRequest, match="cannot be used as a folder"):
        await tab.wait_for_download(blocked, timeout=30)


async def test_a_wait_without_a_download_says_so(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    with pytest.raises(TimedOut, match="no download started"):
        await tab.wait_for_download(timeout=0.2)


def test_a_link_in_the_way_is_not_followed(tmp_path):
    outside = tmp_path / "outside.txt"
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "x.txt").symlink_to(outside)
    source = tmp_path / "source"
    source.write_text("data")
    assert keep_as(source, folder, "x.txt").name == "x (2).txt"
    assert not outside.exists()


async def test_downloads_of_somebody_elses_browser_are_taken_over_only_when_asked(site, tmp_path):
    import boathook

    with foreign_chromium() as (_process, profile):
        async with await boathook.attach(await port_of(profile)) as browser:
            sent = []
            engine_of(browser).connection.on_traffic = lambda way, _session, message: (
                sent.append(message) if way == "sent" else None
            )
            tab = await browser.open(site.page("<p>x</p>"))
            assert not any(b"setDownloadBehavior" in message for message in sent)
            with pytest.raises(TimedOut):
                await tab.wait_for_download(tmp_path, timeout=0.2)
            await tab.evaluate("location.href = '/download'")
            assert (await tab.wait_for_download(tmp_path, timeout=30)).path.name == "x.bin"


async def test_a_download_goes_to_the_file_or_folder_that_is_named(tab, site, tmp_path):
    await tab.goto(site.page("<a href=/named?name=report.txt&size=50>Get it</a>"))
    assert (await tab.download("text=Get it", tmp_path / "mine.txt")).path == tmp_path / "mine.txt"
    (tmp_path / "mine.txt").write_text("old")
    assert (await tab.download("text=Get it", tmp_path / "mine.txt")).size == 50
    assert (tmp_path / "mine.txt").read_bytes() == b"x" * 50
    (tmp_path / "folder.d").mkdir()
    assert (await tab.download("text=Get it", tmp_path / "folder.d")).path.name == "report.txt"
    assert (await tab.download("text=Get it", tmp_path / "new")).path == tmp_path / "new/report.txt"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.d", "mine.txt", "new"]
