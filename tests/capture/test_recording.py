"""Recordings: videos of the page as it is, seen by a decoder that knows nothing of us."""

import asyncio
import io
import os
import sys
import time
from itertools import pairwise

import av
import pytest
from PIL import Image

from boathook.commands import catalogue
from boathook.commands.results import RecordingStarted
from boathook.engine.capture.video import recordings
from boathook.engine.capture.video.ffmpeg import VideoFile
from boathook.engine.capture.video.video_recording import Recorded
from boathook.errors import BadRequest, BadSetting, PageError, Unsupported
from boathook.presentation.all_renderers import as_text
from boathook.service.records.call_recorder import artifacts_of, category_of
from tests.support.engine import engine_of
from tests.support.waiting import until

MOVING = """<body style='margin:0;background:#eef'><div id=box style='position:absolute;width:200px;height:200px;background:#c00'></div>
<button onclick="document.body.style.background='#0a0'" style='position:absolute;left:600px;top:400px;width:200px;height:80px'>Green</button>
<script>let at = 0; setInterval(() => { box.style.left = (at = (at + 7) % 500) + 'px' }, 30)</script>"""


def decoded(path):
    """Every frame of a file, and what the file says of itself."""
    with av.open(str(path)) as video:
        stream = video.streams.video[0]
        frames = [(frame.time, frame.to_image()) for frame in video.decode(video=0)]
        return frames, stream.codec_context.name, float(stream.average_rate), video.duration / av.time_base


def has_colour(image, wanted, *, within=40, small=True):
    small = image.resize((64, 36)) if small else image
    return any(
        all(abs(have - want) <= within for have, want in zip(pixel, wanted, strict=True))
        for pixel in small.get_flattened_data()
    )


async def pictures(tab, count):
    """Wait for that many more frames."""
    take = next(iter(recordings._of(engine_of(tab)).values()))
    until_then = take._pictures + count
    await until(lambda: take._pictures >= until_then, seconds=30, named="the page gives pictures")


@pytest.mark.parametrize(("ending", "codec"), [("webm", "vp8"), ("mp4", "h264")])
async def test_a_recording_plays_with_all_that_happened_in_it(tab, site, tmp_path, ending, codec):
    await tab.goto(site.page(MOVING))
    path = tmp_path / "new folder" / f"take.{ending}"
    await tab.evaluate("window.kept = 'still here'")
    await tab.record_start(path, fps=20)
    await pictures(tab, 8)
    await tab.click("text=Green")
    await pictures(tab, 8)
    assert await tab.evaluate("window.kept") == "still here", "the page is not loaded again"
    done = await tab.record_stop()
    frames, name, rate, seconds = decoded(path)
    assert (name, rate, done.path) == (codec, 20, path)
    assert (done.width, done.height) == frames[0][1].size
    assert done.width % 2 == done.height % 2 == 0
    assert len(frames) == done.frames
    assert abs(seconds - done.seconds) < 0.5
    steps = [second[0] - first[0] for first, second in pairwise(frames)]
    assert all(abs(step - 0.05) < 0.002 for step in steps), "constant rate"
    assert has_colour(frames[0][1], (0xEE, 0xEE, 0xFF))
    assert not has_colour(frames[0][1], (0, 0xAA, 0))
    assert has_colour(frames[-1][1], (0, 0xAA, 0))
    assert has_colour(frames[-1][1], (0xCC, 0, 0)), "not black, and not another page"
    assert path.stat().st_mode & 0o77 == 0
    assert done.ended == ""
    assert f"saved {path} (" in as_text(done)


@pytest.mark.parametrize("ending", ["webm", "mp4"])
async def test_light_and_dark_colours_of_a_recording_are_those_of_the_page(tab, site, tmp_path, ending):
    """JPEG frames use the full range of levels; a VP8 file cannot say so, and players clip what lies outside the limited one."""
    page = (
        "<body style='margin:0;background:#e0e0e0'><div style='width:300px;height:300px;background:#202020'>"
    )
    await tab.goto(site.page(page))
    path = tmp_path / f"levels.{ending}"
    await tab.record_start(path, fps=10)
    await tab.record_stop()
    last = decoded(path)[0][-1][1]
    for place, wanted in (((600, 100), (0xE0,) * 3), ((100, 100), (0x20,) * 3)):
        assert last.getpixel(place) == pytest.approx(wanted, abs=8)


async def test_a_recording_goes_on_over_navigations_and_other_sites(tab, site, tmp_path):
    await tab.goto(site.page("<body style='background:#c00'>"))
    await tab.record_start(tmp_path / "take.webm", fps=10)
    take = next(iter(recordings._of(engine_of(tab)).values()))
    await tab.goto(site.page("<body style='background:#0a0'>").replace(site.origin, site.other_origin))
    await until(
        lambda: has_colour(Image.open(io.BytesIO(take._shown.data)), (0, 0xAA, 0)), named="the page is filmed"
    )
    await tab.goto(site.page("<body style='background:#00c'>"))
    await tab.record_stop()
    frames = [image for _, image in decoded(tmp_path / "take.webm")[0]]
    for colour in ((0xCC, 0, 0), (0, 0xAA, 0)):
        assert any(has_colour(image, colour) for image in frames), colour
    assert has_colour(frames[-1], (0, 0, 0xCC)), "it ends with what the page showed at the end"


async def test_a_page_that_stands_still_is_as_long_as_it_stood(tab, site, tmp_path):
    await tab.goto(site.page("<h1>Still</h1>"))
    await tab.record_start(tmp_path / "still.mp4", fps=5)
    begun = time.time()
    await until(lambda: time.time() - begun >= 0.8, named="some time has passed, which is what is recorded")
    done = await tab.record_stop()
    frames, _, _, seconds = decoded(tmp_path / "still.mp4")
    assert 0.8 <= seconds <= done.seconds + 0.5
    assert len(frames) == done.frames >= 4


async def test_pointer_marks_and_contact_sheet_are_drawn_and_the_page_has_nothing_of_them(
    tab, site, tmp_path
):
    await tab.goto(site.page(MOVING))
    before = await tab.evaluate("document.documentElement.outerHTML.length")
    await tab.record_start(tmp_path / "take.mp4", fps=20, cursor=True, marks=True, contact_sheet=True)
    await pictures(tab, 2)  # of the page before the click
    await tab.click("text=Green")
    await pictures(tab, 15)
    after = await tab.evaluate("document.documentElement.outerHTML.length")
    done = await tab.record_stop()
    assert abs(after - before) < 60, "only what the page itself did"
    frames = [image for _, image in decoded(tmp_path / "take.mp4")[0]]
    button = [image.crop((560, 360, 840, 520)) for image in frames]
    assert any(has_colour(image, (214, 51, 108), small=False) for image in button), "a ring"
    under_the_words = [image.crop((696, 451, 720, 463)) for image in frames]
    assert not has_colour(under_the_words[0], (20, 20, 20), small=False)
    assert has_colour(under_the_words[-1], (20, 20, 20), small=False), "a pointer"
    sheet = Image.open(io.BytesIO(done.contact_sheet.read_bytes()))
    assert (done.contact_sheet.name, sheet.format) == ("take.contact-sheet.png", "PNG")
    assert done.moments >= 2
    assert has_colour(sheet, (0, 0xAA, 0))


async def test_a_viewport_that_changes_is_fitted_into_the_same_picture(tab, site, tmp_path):
    await tab.goto(site.page(MOVING))
    await tab.set_viewport(801, 601)
    await tab.record_start(tmp_path / "take.webm", fps=10)
    await pictures(tab, 3)
    await tab.set_viewport(400, 700)
    await pictures(tab, 3)
    done = await tab.record_stop()
    assert (done.width, done.height) == (800, 600)
    frames = decoded(tmp_path / "take.webm")[0]
    assert {image.size for _, image in frames} == {(800, 600)}
    assert has_colour(frames[-1][1], (0xEE, 0xEE, 0xFF))


async def test_a_viewport_with_odd_sides_has_no_black_line_at_an_edge(tab, site, tmp_path):
    await tab.goto(site.page(MOVING))
    await tab.set_viewport(801, 601)
    await tab.record_start(tmp_path / "take.webm", fps=10)
    await pictures(tab, 4)
    await tab.record_stop()
    for _, image in decoded(tmp_path / "take.webm")[0]:
        assert image.size == (800, 600)
        for edge in ((0, 500), (799, 300), (700, 0), (500, 599)):
            assert min(image.getpixel(edge)) > 150, f"no black line at {edge}"


async def test_a_tab_that_is_closed_ends_its_video_properly(browser, tab, site, tmp_path):
    other = await browser.open(site.page(MOVING))
    await other.record_start(tmp_path / "take.webm", fps=10)
    await pictures(other, 4)
    await other.close()
    done = await tab.record_stop()
    assert done.ended == "the tab was closed"
    assert len(decoded(tmp_path / "take.webm")[0]) == done.frames > 0
    assert "the tab was closed" in as_text(done)


async def test_a_browser_that_dies_or_is_closed_leaves_a_video_that_plays(browser_with, site, tmp_path):
    for number, ending in enumerate(("killed", "closed")):
        started = await browser_with()
        one = await started.open(site.page(MOVING))
        path = tmp_path / f"{ending}.webm"
        await one.record_start(path, fps=10)
        await pictures(one, 4)
        take = next(iter(recordings._of(engine_of(one)).values()))
        if number == 0:
            await kill(started)
            await until(lambda take=take: take.is_over, seconds=30, named="the video is finished")
            assert (await asyncio.shield(take._finished)).ended == "the browser disconnected"
        else:
            await started.close()
        assert len(decoded(path)[0]) > 0


async def kill(browser):
    reply = await engine_of(browser).connection.send("SystemInfo.getProcessInfo")
    main = next(item["id"] for item in reply["processInfo"] if item["type"] == "browser")
    os.kill(main, 9)


async def test_an_encoder_that_is_behind_costs_pictures_and_not_the_recording(
    tab, site, tmp_path, monkeypatch
):
    gate = asyncio.Event()
    really_add = VideoFile.add

    async def slow(self, jpeg, *, at):
        if at > 0:
            await gate.wait()
        return await really_add(self, jpeg, at=at)

    monkeypatch.setattr(VideoFile, "add", slow)
    await tab.goto(site.page(MOVING))
    await tab.record_start(tmp_path / "take.webm", fps=20)
    await pictures(tab, 20)
    gate.set()
    done = await tab.record_stop()
    assert done.dropped > 5
    frames, _, _, seconds = decoded(tmp_path / "take.webm")
    assert abs(seconds - done.seconds) < 0.5, "the time is right all the same"
    assert len(frames) == done.frames
    assert "were dropped" in as_text(done)


async def test_wishes_that_cannot_be_are_told_before_anything_is_written(lasting_tab, tmp_path):
    for requested, error in (
        ({"path": tmp_path / "take.gif"}, BadSetting),
        ({"path": tmp_path / "take"}, BadSetting),
        ({"path": tmp_path / "take.webm", "fps": 0}, BadSetting),
        ({"path": tmp_path / "take.webm", "fps": 61}, BadSetting),
        ({"path": tmp_path / "take.webm", "contact_sheet_threshold": 2}, BadSetting),
    ):
        with pytest.raises(error):
            await lasting_tab.record_start(**requested)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadRequest, match="no recording is running"):
        await lasting_tab.record_stop()


async def test_a_file_that_cannot_be_written_is_told(lasting_tab, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRequest, match="cannot be written"):
        await lasting_tab.record_start(tmp_path / "file" / "take.webm")
    (tmp_path / "folder.webm").mkdir()
    with pytest.raises(BadRequest, match="is a folder"):
        await lasting_tab.record_start(tmp_path / "folder.webm")


async def test_one_at_a_time_and_restart_changes_the_file(tab, site, tmp_path):
    await tab.goto(site.page(MOVING))
    await tab.record_start(tmp_path / "one.webm", fps=10)
    with pytest.raises(BadRequest, match="already recording"):
        await tab.record_start(tmp_path / "two.webm")
    with pytest.raises(BadSetting):
        await tab.record_restart(tmp_path / "two.gif")
    await pictures(tab, 2)
    restarted = await tab.record_restart(tmp_path / "two.webm", fps=10)
    assert restarted.before.path == tmp_path / "one.webm"
    await pictures(tab, 2)
    done = await tab.record_stop()
    assert done.path == tmp_path / "two.webm"
    assert decoded(tmp_path / "one.webm")[0]
    assert decoded(tmp_path / "two.webm")[0]


async def test_without_ffmpeg_it_is_told_at_the_start(lasting_tab, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(Unsupported, match="requires ffmpeg") as told:
        await lasting_tab.record_start(tmp_path / "take.webm")
    assert "boathook[video]" in told.value.hint


async def test_an_ffmpeg_that_lacks_the_encoder_is_told_at_the_start(lasting_tab, tmp_path, monkeypatch):
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho \"Codec 'libvpx' is not recognized by FFmpeg.\"\n")
    program.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda _name: str(program))
    with pytest.raises(Unsupported, match="lacks the encoder libvpx"):
        await lasting_tab.record_start(tmp_path / "take.webm")


async def test_an_ffmpeg_that_fails_is_told_in_its_words(tab, tmp_path, monkeypatch):
    program = tmp_path / "ffmpeg"
    program.write_text(
        '#!/bin/sh\ncase "$*" in *-h*encoder*) echo "Encoder libvpx [x]"; exit;; esac\necho "no space" >&2; exit 3\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda _name: str(program))
    await tab.record_start(tmp_path / "take.webm")
    with pytest.raises(PageError, match="no space"):
        await tab.record_stop()
    with pytest.raises(BadRequest, match="no recording is running"):
        await tab.record_stop()


def test_the_files_of_a_recording_are_artifacts_that_wait_and_then_are_saved(tmp_path):
    start, stop = catalogue()["record_start"], catalogue()["record_stop"]
    path, sheet = tmp_path / "take.webm", tmp_path / "take.contact-sheet.png"
    begun = artifacts_of(start, RecordingStarted(path=path, tab="t1"), began=time.time())
    assert [(item.kind, item.state, item.media_type) for item in begun] == [
        ("video", "pending", "video/webm")
    ]
    assert category_of(begun) == "artifact-pending"
    path.write_bytes(b"1")
    sheet.write_bytes(b"22")
    done = Recorded(
        path=path,
        seconds=1,
        frames=1,
        pictures=1,
        dropped=0,
        width=2,
        height=2,
        fps=1,
        size=1,
        contact_sheet=sheet,
        moments=1,
    )
    found = artifacts_of(stop, done, began=time.time())
    assert [(match.kind, match.size) for match in found] == [("video", 1), ("image", 2)]
    assert category_of(found) == "artifact-saved"
