"""Pages find the screen, place, language, taste and network that they are given; `reset` puts the real thing back."""

import json

import pytest

from boathook.engine.emulation.devices import DEVICES, find_device
from boathook.errors import BadRequest, BadSetting, ConnectionFailed
from tests.support.engine import engine_of
from tests.support.popups import next_tab
from tests.support.thorough import sample


async def headers_of(tab, site, path="echo"):
    await tab.goto(site.url(path))
    return json.loads(await tab.evaluate("document.body.innerText"))


async def test_a_viewport_is_set_and_put_back(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    usual = await tab.evaluate("[innerWidth, innerHeight, devicePixelRatio]")
    await tab.emulate(width=500, height=400, scale=2)
    assert await tab.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [500, 400, 2]
    await tab.emulate(reset=["viewport"])
    assert await tab.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == usual


@pytest.mark.parametrize("name", sample(DEVICES, 7))
async def test_a_device_has_its_screen_touch_and_name(tab, site, name):
    device = DEVICES[name]
    await tab.emulate(device=name)
    await tab.goto(site.page("<p>x</p>", head="<meta name=viewport content='width=device-width'>"))
    assert await tab.evaluate("[innerWidth, devicePixelRatio]") == [device.width, device.scale]
    assert (await tab.evaluate("navigator.maxTouchPoints") > 0) is device.touch
    agent = await tab.evaluate("navigator.userAgent")
    assert "{" not in agent
    assert ("Mobile" in agent) is device.mobile


async def test_a_device_has_its_own_screen_after_another_size_was_set(tab, site):
    await tab.emulate(width=800, height=600, scale=1)
    await tab.emulate(device="iPhone 14")
    await tab.goto(site.page("<p>x</p>", head="<meta name=viewport content='width=device-width'>"))
    device = find_device("iPhone 14")
    assert await tab.evaluate("[innerWidth, devicePixelRatio]") == [device.width, device.scale]
    await tab.emulate(device="iPhone 14", width=500, height=700, scale=2)
    assert await tab.evaluate("[innerWidth, devicePixelRatio]") == [500, 2], "both in one call are both meant"


async def test_a_size_that_is_set_on_a_device_is_the_size_of_every_page(tab, site):
    await tab.emulate(device="iPhone 14")
    await tab.goto(site.page("<p>a page that says nothing of telephones</p>"))
    assert await tab.evaluate("innerWidth") == 980
    await tab.emulate(width=700, height=500)
    assert await tab.evaluate("innerWidth") == 700
    assert "iPhone" in await tab.evaluate("navigator.userAgent")


async def test_a_user_agent_with_braces_is_taken_as_it_is_on_a_device(tab, site):
    await tab.emulate(device="pixel", user_agent="Own/1 {braces}")
    await tab.goto(site.page("<p>x</p>"))
    assert await tab.evaluate("navigator.userAgent") == "Own/1 {braces}"


async def test_a_tab_that_a_page_opens_finds_what_its_opener_found(browser, tab, site):
    await tab.emulate(color_scheme="dark", timezone="Asia/Tokyo")
    await tab.goto(site.page("<button onclick=\"window.open('/')\">Open</button>"))
    await tab.click("text=Open")
    popup = await next_tab(browser, opener=tab.id)
    await popup.wait_for_url(site.url("/"))
    await popup.wait_for_load()
    found = await popup.evaluate(
        "[matchMedia('(prefers-color-scheme: dark)').matches, Intl.DateTimeFormat().resolvedOptions().timeZone]"
    )
    assert found == [True, "Asia/Tokyo"]
    other = await browser.open(site.page("<p>x</p>"))
    assert await other.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is False


async def test_client_hints_agree_with_the_user_agent(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    real = await tab.evaluate("navigator.userAgent")
    await tab.emulate(device="pixel")
    sent = await headers_of(tab, site)
    assert "Android" in sent["user-agent"]
    assert (sent["sec-ch-ua-mobile"], sent["sec-ch-ua-platform"]) == ("?1", '"Android"')
    version = await tab.evaluate("navigator.userAgent.match(/Chrome.(\\d+)/)[1]")
    assert f'"Chromium";v="{version}"' in sent["sec-ch-ua"]
    await tab.emulate(device="iphone")
    sent = await headers_of(tab, site)
    assert "iPhone" in sent["user-agent"]
    assert "sec-ch-ua-platform" not in sent
    await tab.emulate(reset=["device"])
    assert (await headers_of(tab, site))["user-agent"] == real
    await tab.emulate(
        user_agent="Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36"
    )
    sent = await headers_of(tab, site)
    assert sent["sec-ch-ua-platform"] == '"Windows"'
    assert 'v="150"' in sent["sec-ch-ua"]


async def test_a_place_is_given_once_it_may_be_asked_for(browser, site):
    tab = await browser.open(site.page("<p>x</p>"), isolated=True)
    where = "new Promise(done => navigator.geolocation.getCurrentPosition(at => done([at.coords.latitude, at.coords.longitude]), error => done(error.message)))"
    await tab.emulate(latitude=52.5, longitude=13.4)
    assert "denied" in str(await tab.evaluate(where)).lower()
    await tab.grant("geolocation", origin=site.origin)
    assert await tab.evaluate(where) == [52.5, 13.4]
    await tab.reset_permissions()
    assert "denied" in str(await tab.evaluate(where)).lower()
    with pytest.raises(BadRequest, match="unknown permission"):
        await tab.grant("mind-reading")
    await tab.close()


async def test_language_and_time_zone_are_those_of_the_place(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    look = "[navigator.language, (1234.5).toLocaleString(), new Date(0).getTimezoneOffset()]"
    usual = await tab.evaluate(look)
    await tab.emulate(locale="de-DE", timezone="Asia/Tokyo")
    assert await tab.evaluate(look) == ["de-DE", "1.234,5", -540]
    assert (await headers_of(tab, site))["accept-language"].startswith("de-DE")
    await tab.emulate(reset=["locale", "timezone"])
    assert await tab.evaluate(look) == usual


async def test_taste_is_seen_by_style_sheets_also_in_frames_of_other_processes(tab, site):
    inner = site.page("<p>x</p>").replace(site.origin, site.other_origin)
    await tab.emulate(color_scheme="dark")
    await tab.goto(site.page(f"<p id=outer>x</p><iframe src={inner}></iframe>"))
    await tab.emulate(reduced_motion="reduce")
    look = "element => ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'].map(query => matchMedia(query).matches)"
    assert await tab.evaluate(look, target="#outer") == [True, True]
    frame = next(frame for frame in engine_of(tab).frames if frame.parent_id)
    for query in ("prefers-color-scheme: dark", "prefers-reduced-motion: reduce"):
        reply = await engine_of(tab).frames.run(frame, f"matchMedia('({query})').matches")
        assert reply["result"]["value"] is True
    await tab.emulate(reset=["color_scheme", "reduced_motion"])
    assert await tab.evaluate(look, target="#outer") == [False, False]


async def test_offline_is_offline_until_it_is_not(tab, site):
    page = site.page("<p>x</p>")
    await tab.goto(page)
    await tab.emulate(offline=True)
    assert await tab.evaluate("navigator.onLine") is False
    assert await tab.evaluate("fetch('/json').then(() => 'answered', () => 'failed')") == "failed"
    with pytest.raises(
        ConnectionFailed, match=r"no network connection \(.*if offline mode is on, tab\.set_offline"
    ):
        await tab.goto(page)
    await tab.emulate(reset=["offline"])
    await tab.goto(page)
    assert await tab.evaluate("fetch('/json').then(() => 'answered', () => 'failed')") == "answered"


async def test_extra_headers_are_sent_until_they_are_taken_back(tab, site):
    await tab.emulate(headers={"X-Test": "one"})
    assert (await headers_of(tab, site))["x-test"] == "one"
    await tab.emulate(reset=["headers"])
    assert "x-test" not in await headers_of(tab, site)


async def test_single_settings_have_commands_of_their_own(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.set_viewport(500, 400, 2)
    await tab.set_media("dark", "reduced-motion")
    look = "[innerWidth, innerHeight, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches]"
    assert await tab.evaluate(look) == [500, 400, 2, True]
    assert (await tab.set_geo(52.5, 13.4)).geolocation.longitude == 13.4
    assert (await tab.set_device("pixel")).device == "pixel"
    await tab.set_headers({"X-Test": "one"})
    assert (await headers_of(tab, site))["x-test"] == "one"
    await tab.set_headers({})
    assert "x-test" not in await headers_of(tab, site)
    await tab.set_offline()
    assert await tab.evaluate("navigator.onLine") is False
    await tab.set_offline("off")
    assert await tab.evaluate("navigator.onLine") is True


async def test_what_is_not_given_stays_as_it_is(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.emulate(timezone="Asia/Tokyo")
    settings = await tab.emulate(color_scheme="dark")
    assert (settings.timezone, settings.color_scheme) == ("Asia/Tokyo", "dark")
    assert await tab.evaluate("new Date(0).getTimezoneOffset()") == -540


@pytest.mark.parametrize(
    "options",
    [
        {"device": "toaster"},
        {"width": 0, "height": 10},
        {"width": 100},
        {"latitude": 91, "longitude": 0},
        {"latitude": 1},
        {"locale": "invalid locale"},
        {"timezone": "Mars/Olympus"},
        {"color_scheme": "plaid"},
        {"reduced_motion": "a bit"},
        {"headers": {"Bad Name": "x"}},
        {"headers": {"X": "a\r\nInjected: 1"}},
        {"headers": {"X": 7}},
        {"user_agent": "a\nb"},
        {"reset": ["weather"]},
        {"reset": ["locale"], "locale": "de"},
    ],
)
async def test_a_setting_that_cannot_be_is_refused_and_changes_nothing(tab, site, options):
    await tab.goto(site.page("<p>x</p>"))
    before = engine_of(tab).emulation.settings
    with pytest.raises(BadSetting):
        await tab.emulate(**options)
    assert engine_of(tab).emulation.settings == before


async def test_style_sheets_and_scripts_find_what_was_wished_for(tab, site):
    await tab.goto(site.page("<p>x</p>"))

    async def matches(query):
        return await tab.evaluate("query => matchMedia(query).matches", query)

    await tab.set_media("dark", "reduced-motion", "more-contrast", "forced-colors")
    for query in (
        "prefers-color-scheme: dark",
        "prefers-reduced-motion: reduce",
        "prefers-contrast: more",
        "forced-colors: active",
    ):
        assert await matches(f"({query})"), query
    await tab.set_media("print")
    assert await matches("print")
    assert await matches("(prefers-color-scheme: dark)"), "what was wished for before stays"
    await tab.emulate(reset=["medium", "color_scheme", "reduced_motion", "contrast", "forced_colors"])
    assert await matches("screen")
    assert not await matches("(forced-colors: active)")
    await tab.set_touch("on")
    assert await tab.evaluate("navigator.maxTouchPoints") == 5
    await tab.set_locale("de-DE")
    await tab.set_timezone("Asia/Tokyo")
    await tab.set_user_agent("Mozilla/5.0 Example/1.0")
    assert await tab.evaluate("(1.5).toLocaleString()") == "1,5"
    assert await tab.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone") == "Asia/Tokyo"
    assert await tab.evaluate("navigator.userAgent") == "Mozilla/5.0 Example/1.0"


async def test_a_slower_processor_takes_longer(tab, site):
    """Compared on the same page, one after the other; fifty times slower is seen whatever else the machine does."""
    await tab.goto(site.page("<p>x</p>"))
    count = "() => { const until = performance.now() + 300; let n = 0; while (performance.now() < until) n++; return n; }"
    usual = await tab.evaluate(count)
    await tab.set_cpu(50)
    assert await tab.evaluate(count) < usual * 0.7
    await tab.set_cpu(1)


@pytest.mark.parametrize("name", DEVICES)
async def test_every_device_has_its_screen_and_name(lasting_tab, site, name):
    device = DEVICES[name]
    await lasting_tab.set_device(name)
    await lasting_tab.goto(site.page("<p>x</p>", head="<meta name=viewport content='width=device-width'>"))
    found = await lasting_tab.evaluate(
        "[innerWidth, devicePixelRatio, navigator.maxTouchPoints > 1, navigator.userAgent]"
    )
    assert found[:3] == [device.width, device.scale, device.touch]
    assert device.platform.split()[0] in found[3] if device.platform else "Mozilla" in found[3]
    await lasting_tab.emulate(reset=["device"])


@pytest.mark.parametrize(
    "wrong", [{"cpu": 0}, {"contrast": "some"}, {"medium": "paper"}, {"forced_colors": "yes"}]
)
async def test_what_cannot_be_emulated_is_refused(tab, wrong):
    with pytest.raises(BadSetting):
        await tab.emulate(**wrong)
    with pytest.raises(BadSetting, match="invalid media feature"):
        await tab.set_media("pink")
