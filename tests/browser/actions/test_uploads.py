"""Uploads go from allowed folders into inputs, choosers and drop zones, and the page is asked what it got."""

import itertools
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import boathook
from boathook.engine.files.upload_files import stage_files
from boathook.errors import BadRequest, BadSetting, NotReceived, TargetError
from tests.support.chromium import foreign_chromium, port_of
from tests.support.engine import engine_of
from tests.support.timing import ends_within
from tests.support.waiting import PATIENCE

INPUT = "<input type=file id=f aria-label=Files>"
ZONE = """<div id=zone style="width:200px;height:100px">Drop here</div><p id=out></p><script>
const zone = document.querySelector('#zone');
zone.addEventListener('dragover', event => event.preventDefault());
zone.addEventListener('drop', async event => {
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  document.querySelector('#out').textContent = files.map(f => f.name + ':' + f.type).join() + '|' + await files[0].text();
});
</script>"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "hello wörld.txt"
    path.write_text("hello")
    return path


async def test_a_file_input_gets_the_file_and_its_page_is_told(tab, site, file):
    await tab.goto(
        site.page(
            INPUT
            + "<p id=out></p><script>f.onchange = async () => out.textContent = await f.files[0].text()</script>"
        )
    )
    done = await tab.upload("#f", file)
    assert (done.way, done.names, done.sizes) == ("input", ("hello wörld.txt",), (5,))
    await tab.wait_for("#out", state="text", text="hello", timeout=30)


async def test_several_files_go_only_where_several_are_taken(tab, site, tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in paths:
        path.write_text(path.name)
    await tab.goto(site.page(INPUT + "<input type=file multiple id=many>"))
    assert (await tab.upload("#many", *paths)).names == ("a.txt", "b.txt")
    with pytest.raises(BadRequest, match="accepts one file"):
        await tab.upload("#f", *paths)
    assert await tab.evaluate("document.querySelector('#f').files.length") == 0


async def test_an_input_that_its_page_empties_at_once_still_proves_what_it_got(tab, site, file):
    await tab.goto(
        site.page(
            INPUT + "<script>f.onchange = () => { window.got = f.files[0].name; f.value = '' }</script>"
        )
    )
    assert (await tab.upload("#f", file)).names == ("hello wörld.txt",)
    assert await tab.evaluate("window.got") == "hello wörld.txt"


async def test_a_button_that_opens_a_chooser_gets_the_file(tab, site, file):
    await tab.goto(site.page("<button onclick='f.click()'>Choose</button><input type=file id=f hidden>"))
    done = await tab.upload("text=Choose", file)
    assert (done.way, done.names) == ("chooser", ("hello wörld.txt",))
    assert await tab.evaluate("f.files[0].size") == 5


async def test_an_input_that_is_in_no_document_gets_the_file_through_its_chooser(tab, site, file):
    await tab.goto(
        site.page(
            "<button>Choose</button><script>document.querySelector('button').onclick = () => { window.i = document.createElement('input'); i.type = 'file'; i.click() }</script>"
        )
    )
    assert (await tab.upload("text=Choose", file)).way == "chooser"
    assert await tab.evaluate("i.files[0].name") == "hello wörld.txt"


async def test_a_chooser_that_a_click_opened_is_held_and_blocks_nothing(tab, site, file):
    await tab.goto(site.page("<button onclick='f.click()'>Choose</button><input type=file id=f hidden>"))
    with pytest.raises(BadRequest, match="no file chooser is open"):
        await tab.answer_file_chooser(file)
    with ends_within(5):
        await tab.click("text=Choose")
        assert await tab.evaluate("1 + 1") == 2
    assert (await tab.answer_file_chooser(file)).names == ("hello wörld.txt",)


async def test_a_drop_zone_takes_the_file(tab, site, file):
    await tab.goto(site.page(ZONE))
    done = await tab.upload("#zone", file)
    assert (done.way, done.names) == ("drop", ("hello wörld.txt",))
    await tab.wait_for("#out", state="text", text="hello wörld.txt:text/plain|hello", exact=True, timeout=30)


async def test_a_frame_of_another_process_takes_the_file(tab, site, file):
    inner = site.page(INPUT).replace(site.origin, site.other_origin)
    await tab.goto(site.page(f"<iframe src={inner}></iframe>"))
    assert (await tab.upload("#f", file)).names == ("hello wörld.txt",)


async def test_an_element_that_takes_no_files_is_an_error_not_a_success(tab, site, file):
    await tab.goto(site.page("<p id=x>Nothing</p>"))
    with pytest.raises(NotReceived, match="not a file input"):
        await tab.upload("#x", file)


async def test_a_disabled_input_is_an_error(tab, site, file):
    await tab.goto(site.page("<input type=file id=f disabled>"))
    with pytest.raises(TargetError, match="disabled"):
        await tab.upload("#f", file)


async def test_a_file_that_is_too_large_to_drop_is_refused(tab, site, tmp_path):
    large = tmp_path / "large.bin"
    with large.open("wb") as out:
        out.truncate(21 * 1024 * 1024)
    await tab.goto(site.page(ZONE + INPUT))
    with pytest.raises(BadRequest, match="too large to drop"):
        await tab.upload("#zone", large)
    assert (await tab.upload("#f", large)).sizes == (21 * 1024 * 1024,)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("{tmp}/missing.txt", "no such file"),
        ("{tmp}", "folder"),
        ("{tmp}/pipe", "not a regular file"),
        ("/etc/hostname", "outside"),
        ("{tmp}/../../../../../../../../etc/hostname", "outside"),
        ("{tmp}/link", "outside"),
        ("{tmp}/folder-link/hostname", "outside"),
        ("", "not a path"),
        ("a\0b", "not a path"),
        ("/proc/self/environ", "outside"),
        ("x" * 5000, "cannot be read"),
    ],
)
async def test_a_path_that_may_not_or_cannot_be_read_is_refused(tab, site, tmp_path, path, words):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/hostname")
    (tmp_path / "folder-link").symlink_to("/etc")
    await tab.goto(site.page(INPUT))
    with ends_within(5), pytest.raises(BadRequest, match=words):
        await tab.upload("#f", path.format(tmp=tmp_path))
    assert await tab.evaluate("document.querySelector('#f').files.length") == 0


async def test_no_path_at_all_is_refused(tab, site):
    await tab.goto(site.page(INPUT))
    with pytest.raises(BadRequest, match="no file"):
        await tab.upload("#f")


async def test_roots_can_be_narrowed_and_widened(browser_with, site, file, tmp_path):
    started = await browser_with()
    tab = await started.open(site.page(INPUT))
    engine_of(started).upload_roots = (tmp_path / "elsewhere",)
    with pytest.raises(BadRequest, match="outside"):
        await tab.upload("#f", file)
    engine_of(started).upload_roots = (tmp_path,)
    assert (await tab.upload("#f", file)).sizes == (5,)
    engine_of(started).upload_roots = ()
    with pytest.raises(BadRequest, match="allowed: none"):
        await tab.upload("#f", file)


async def test_roots_are_given_when_a_browser_is_opened(browser_with, site, file, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    narrow = await browser_with(upload_roots=[elsewhere])
    tab = await narrow.open(site.page(INPUT))
    with pytest.raises(BadRequest, match="outside"):
        await tab.upload("#f", file)
    (elsewhere / "x.txt").write_text("hello")
    assert (await tab.upload("#f", elsewhere / "x.txt")).names == ("x.txt",)
    monkeypatch.chdir(tmp_path)
    relative = await browser_with(upload_roots="elsewhere")
    monkeypatch.chdir("/")
    tab = await relative.open(site.page(INPUT))
    assert (await tab.upload("#f", elsewhere / "x.txt")).sizes == (5,)


async def test_roots_are_given_when_a_browser_is_attached_to(site, file):
    with foreign_chromium() as (_process, profile):
        port = await port_of(profile)
        async with await boathook.attach(port, upload_roots=()) as theirs:
            tab = await theirs.open(site.page(INPUT))
            with pytest.raises(BadRequest, match="allowed: none"):
                await tab.upload("#f", file)
        async with await boathook.attach(port, upload_roots=[file.parent]) as theirs:
            tab = await theirs.open(site.page(INPUT))
            assert (await tab.upload("#f", file)).sizes == (5,)


async def test_roots_that_are_no_folders_are_refused_before_a_browser_starts():
    wrong: Any
    for wrong in ([""], [5], ["a\0b"]):
        with pytest.raises(BadSetting, match="not a folder"):
            await boathook.launch(upload_roots=wrong)


def test_a_link_that_is_swapped_in_during_the_check_never_gets_a_file_out(tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "x.txt").write_text("secret")
    root = tmp_path / "root"
    folder = root / "folder"
    folder.mkdir(parents=True)
    (folder / "x.txt").write_text("public")
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            folder.rename(root / "aside")
            folder.symlink_to(secret)
            folder.unlink()
            (root / "aside").rename(folder)
            for _ in range(200):
                folder.stat()

    swapper = threading.Thread(target=swap)
    swapper.start()
    read, refused = 0, 0
    try:
        begin = time.monotonic()
        for number in itertools.count():
            if (number >= 1000 and read and refused) or time.monotonic() - begin > PATIENCE:
                break
            try:
                (copy,) = stage_files(
                    [folder / "x.txt"], roots=[root], folder=tmp_path / "staged" / str(number)
                )
            except BadRequest:
                refused += 1
            else:
                assert Path(copy.path).read_text() == "public"
                read += 1
    finally:
        stop.set()
        swapper.join()
    assert read
    assert refused


async def test_what_was_staged_goes_with_the_browser(browser_with, site, file):
    started = await browser_with()
    tab = await started.open(site.page(INPUT))
    await tab.upload("#f", file)
    staged = engine_of(started).folder.path
    assert list(staged.rglob("*.txt"))
    await started.close()
    assert not staged.exists()
    assert file.read_text() == "hello"
