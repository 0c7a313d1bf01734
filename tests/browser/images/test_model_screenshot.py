"""Screenshots for a model: small enough for it, whole on disk, and coordinates that lead back to the page."""

import io
import stat

import pytest
from PIL import Image

import boathook
from boathook.engine.capture.images.image_size import image_size
from tests.support.engine import engine_of

SPOT = "<body style='margin:0;height:4000px'><button style='position:absolute;left:%dpx;top:%dpx;width:60px;height:40px;background:rgb(255,0,0);border:0' onclick='document.title = `pressed`'></button>"
NOISE = """<body style='margin:0'><canvas id=c width=1365 height=768></canvas><script>
const x = c.getContext('2d'), image = x.createImageData(1365, 768);
for (let i = 0; i < image.data.length; i += 65536) crypto.getRandomValues(image.data.subarray(i, i + 65536));
for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
x.putImageData(image, 0, 0);
</script>"""
MOST_BYTES = 150 * 1024


def opened(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


def middle_of_red(image):
    green = image.getchannel("G").point(lambda value: 255 if value < 60 else 0)
    left, top, right, bottom = green.getbbox()
    return (left + right) / 2, (top + bottom) / 2


@pytest.mark.parametrize("device_scale", [1.0, 2.0])
async def test_what_a_model_sees_in_the_picture_is_pressed_through_its_scale(tab, site, device_scale):
    await tab.set_viewport(1365, 768, device_scale)
    await tab.goto(site.page(SPOT % (1200, 1600)))
    await tab.evaluate("scrollTo(0, 1000)")
    shot = await tab.screenshot(for_model=True)
    assert (shot.width, shot.height) == (1024, 576) == opened(shot.data).size
    assert abs(shot.scale - 1365 / 1024) < 0.01
    x, y = shot.to_page(*middle_of_red(opened(shot.data)))
    assert abs(x - 1230) < 3
    assert abs(y - 620) < 3
    await tab.click(f"{x:.0f},{y:.0f}")
    assert await tab.title() == "pressed"


async def test_the_whole_picture_is_kept_in_a_private_file_that_goes_with_the_browser(browser_with, site):
    browser = await browser_with()
    tab = await browser.open(site.page(SPOT % (100, 100)))
    shot = await tab.screenshot(for_model=True)
    assert image_size(shot.path.read_bytes()) == (1365, 768)
    assert stat.S_IMODE(shot.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(shot.path.parent.stat().st_mode) == 0o700
    await browser.close()
    assert not shot.path.exists()


async def test_a_path_of_the_callers_holds_the_whole_picture(tab, site, tmp_path):
    await tab.goto(site.page(SPOT % (100, 100)))
    shot = await tab.screenshot(tmp_path / "whole.jpeg", for_model=True, format="jpeg", quality=90)
    assert shot.path == tmp_path / "whole.jpeg"
    assert image_size(shot.path.read_bytes()) == (1365, 768)
    assert shot.width == 1024


async def test_a_picture_that_hardly_shrinks_stays_within_its_bytes_and_over_200_pixels(tab, site):
    await tab.goto(site.page(NOISE))
    shot = await tab.screenshot(for_model=True)
    assert shot.path.stat().st_size > 1_000_000, "the control: it is large"
    assert len(shot.data) <= MOST_BYTES
    assert min(shot.width, shot.height) >= 200
    assert shot.media_type == "image/jpeg"
    assert opened(shot.data).size == (shot.width, shot.height)
    assert abs(shot.to_page(shot.width, 0)[0] - 1365) < 2


async def test_a_small_picture_is_given_as_it_is(tab, site):
    await tab.goto(site.page("<div id=it style='width:400px;height:300px;background:rgb(9,99,9)'></div>"))
    shot = await tab.screenshot(target="#it", for_model=True)
    assert (shot.width, shot.height, shot.scale) == (400, 300, 1.0)
    assert shot.path.read_bytes() == shot.data


@pytest.mark.parametrize(("width", "height"), [(40, 20), (900, 12), (12, 600)])
async def test_tiny_elements_are_shown_larger_and_their_points_lead_back(tab, site, width, height):
    await tab.goto(
        site.page(
            f"<body style='margin:0;height:3000px'><div id=it style='position:absolute;left:300px;top:1500px;width:{width}px;height:{height}px;background:rgb(255,0,0)'></div>"
        )
    )
    shot = await tab.screenshot(target="#it", for_model=True)
    assert min(shot.width, shot.height) >= 200
    assert max(shot.width, shot.height) <= 1024
    x, y = shot.to_page(*middle_of_red(opened(shot.data)))
    box = await tab.evaluate(
        "(() => { const r = it.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()"
    )
    assert abs(x - box[0]) < 3
    assert abs(y - box[1]) < 3
    assert image_size(shot.path.read_bytes()) == (width, height)


async def test_a_long_page_fits_as_well(tab, site):
    await tab.goto(
        site.page("<body style='margin:0'><div style='height:9000px;background:linear-gradient(red, blue)'>")
    )
    shot = await tab.screenshot(full_page=True, for_model=True)
    assert (shot.width, shot.height) == (200, 1024)
    assert image_size(shot.path.read_bytes()) == (1365, 9000)


async def test_refs_are_drawn_into_the_copy_too(tab, site):
    await tab.goto(site.page("<button style='margin:100px;width:200px;height:60px'>Press</button>"))
    plain = await tab.screenshot(for_model=True)
    drawn = await tab.screenshot(for_model=True, annotate=True)
    assert drawn.width == plain.width == 1024
    assert opened(drawn.data).tobytes() != opened(plain.data).tobytes()
    assert len(drawn.data) <= MOST_BYTES


async def test_if_changed_sends_nothing_back_while_the_page_looks_the_same(tab, site):
    await tab.goto(site.page("<h1 id=h>One</h1>"))
    first = await tab.screenshot(for_model=True, if_changed=True)
    assert first.changed
    assert first.data
    same = await tab.screenshot(for_model=True, if_changed=True)
    assert not same.changed
    assert same.data == b""
    assert same.path is None
    await tab.evaluate("h.textContent = 'Two'")
    other = await tab.screenshot(for_model=True, if_changed=True)
    assert other.changed
    assert other.data
    assert (await tab.screenshot(target="#h", if_changed=True)).changed, "another kind of picture is new"


async def test_pictures_that_differ_by_noise_only_count_as_the_same_until_it_adds_up(tab, site):
    await tab.goto(site.page("<body style='background:rgb(100,100,100)'>"))
    assert (await tab.screenshot(if_changed=True)).changed
    seen = []
    for shade in (101, 102, 103):
        await tab.evaluate(f"document.body.style.background = 'rgb({shade},100,100)'")
        seen.append((await tab.screenshot(if_changed=True)).changed)
    assert seen == [False, False, True]


async def test_a_copy_for_a_model_is_never_in_a_format_that_some_of_them_refuse(tab, site):
    for body in (NOISE, "<h1>One</h1>", "<div id=it style='width:400px;height:300px'>x</div>"):
        await tab.goto(site.page(body))
        shot = await tab.screenshot(target="#it" if "id=it" in body else None, for_model=True, format="webp")
        assert shot.media_type in {"image/png", "image/jpeg"}
        assert Image.open(io.BytesIO(shot.data)).format in {"PNG", "JPEG"}
        assert shot.path.read_bytes()[8:12] == b"WEBP", "the picture itself is what the caller asked for"


async def test_every_screenshot_says_its_size_in_all_formats(tab, site):
    await tab.goto(site.page("<h1>One</h1>"))
    for format in ("png", "jpeg", "webp"):
        shot = await tab.screenshot(format=format)
        assert (shot.width, shot.height) == (1365, 768) == opened(shot.data).size
        assert (shot.shows.x, shot.shows.y, shot.shows.width) == (0, 0, 1365)


async def test_a_screenshot_of_the_viewport_is_one_message(tab, browser, site):
    await tab.goto(site.page("<h1>One</h1>"))
    sent = []
    connection, mine = engine_of(browser).connection, engine_of(tab).session.id
    before = connection.on_traffic

    def count(direction, session, message):
        sent.append((direction, session, message))
        before(direction, session, message)

    connection.on_traffic = count
    try:
        await tab.screenshot()
    finally:
        connection.on_traffic = before
    ours = [message for direction, session, message in sent if direction == "sent" and session == mine]
    assert len(ours) == 1, ours
    assert b"captureScreenshot" in ours[0]


def test_the_synchronous_api_gives_the_same(site):
    with boathook.sync.launch() as browser:
        shot = browser.open(site.page("<p>x</p>")).screenshot(for_model=True)
        assert (shot.width, shot.height) == (1024, 576)
