"""Stealth `full`: what runs in pages looks like Chromium's own, nothing else changes, and all rules hold."""

import pytest

import boathook
from tests.support.engine import engine_of
from tests.support.report import Listener
from tests.support.waiting import until

MASKS = """() => {
  const ours = WebGLRenderingContext.prototype.getParameter;
  const native = WebGLRenderingContext.prototype.getExtension;
  const height = Object.getOwnPropertyDescriptor(window, 'outerHeight').get;
  const width = Object.getOwnPropertyDescriptor(window, 'outerWidth').get;
  const failure = (one, self) => { try { one.call(self); } catch (error) { return error.stack.replace(/:\\d+/g, ''); } };
  const looks = (one, name) => JSON.stringify([String(one), one + '', Function.prototype.toString.call(one), one.name, one.length,
    Object.getOwnPropertyNames(one), 'prototype' in one, Object.getPrototypeOf(one) === Function.prototype,
    failure(one, {})]).replaceAll(name, '…');
  const cyclic = (one) => { try { Object.setPrototypeOf(one, one); return 'went'; } catch (error) { return error.message; } };
  const flags = (owner, key) => { const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(owner, key);
    return [writable, enumerable, configurable].join(); };
  const stray = failure(Function.prototype.toString, {});
  return {
    looks: [looks(ours, 'getParameter'), looks(native, 'getExtension')],
    getters: [looks(height, 'outerHeight'), looks(width, 'outerWidth')],
    cyclic: [cyclic(ours), cyclic(native)],
    flags: [flags(WebGLRenderingContext.prototype, 'getParameter'), flags(WebGLRenderingContext.prototype, 'getExtension')],
    constructed: (() => { try { new ours(); } catch (error) { return error.message; } })(),
    stray: stray.split('\\n')[0], frames: stray.split('\\n').filter((line) => /toString/.test(line)).length,
    own: Object.getOwnPropertyNames(ours).includes('toString'),
  };
}"""


@pytest.fixture(scope="module")
async def full():
    async with await boathook.launch(stealth="full") as browser:
        yield browser


@pytest.fixture(scope="module")
def listener():
    made = Listener()
    yield made
    made.close()


async def test_functions_of_ours_cannot_be_told_from_native_ones(full, site):
    tab = await full.open(site.page("<p>Masks</p>"))
    told = await tab.evaluate(MASKS)
    await tab.close()
    for name in ("looks", "getters", "cyclic", "flags"):
        assert told[name][0] == told[name][1], name
    assert told["constructed"] == "ours is not a constructor"
    assert "requires that 'this' be a Function" in told["stray"]
    assert told["frames"] == 2, (
        "the message and the frame of the native function name it, as in bare Chromium"
    )
    assert told["own"] is False


async def test_a_popup_wears_it_from_its_first_line_on(full, listener):
    opener = await full.open(f"{listener.origin}/opener.html")
    before = await opener.evaluate("[navigator.userAgent, outerHeight > innerHeight]")
    await opener.click("text=Open")
    told = await listener.report()
    popup = await opener.wait_for_tab()
    assert [told["name"], True] == before
    assert "SwiftShader" not in told["graphics"]
    assert '"architecture":""' not in told["hints"]
    await popup.close()
    await opener.close()


async def test_a_storm_of_popups_leaves_the_page_that_opened_them_usable(full, site):
    tab = await full.open(site.page("<p>storm</p>"))
    for _ in range(8):
        await engine_of(tab).session.send(
            "Runtime.evaluate", expression="void window.open('/')", userGesture=True
        )
    await until(
        lambda: "5 were closed" in "".join(engine_of(tab).news), seconds=60, named="five of eight are refused"
    )
    assert await tab.evaluate("document.body.innerText") == "storm"
    for known in await full.tabs():
        if known.opener == tab.id:
            await known.close()
    await tab.close()


async def test_the_console_is_heard_when_it_is_asked_for(full, site):
    """On other levels pages of this machine are listened to from the beginning, which they can notice."""
    tab = await full.open(site.page("<script>console.log('early word')</script>"))
    assert not engine_of(tab).console.messages.since(0)
    assert "early word" in str(await tab.console())
    await tab.close()


async def test_dialogs_are_answered_and_devices_are_emulated_as_ever(full, site):
    tab = await full.open(
        site.page("<button onclick=\"alert('hello'); this.textContent = 'Said'\">Say</button>")
    )
    await tab.click("text=Say")
    assert await tab.evaluate("document.querySelector('button').textContent") == "Said"
    await tab.emulate(device="pixel")
    await tab.reload()
    agent, mobile, bar = await tab.evaluate(
        "[navigator.userAgent, navigator.userAgentData.mobile, outerHeight - screen.height]"
    )
    assert "Android" in agent
    assert mobile is True
    assert bar <= 0, "a telephone has no toolbar beyond its screen"
    await tab.close()


async def test_limits_on_hosts_hold_under_full(listener):
    async with await boathook.launch(stealth="full", allowed_domains=["127.0.0.1"]) as browser:
        tab = await browser.open(f"{listener.origin}/frame.html")
        reached = "fetch(%r, {mode: 'no-cors'}).then(() => 'reached', () => 'refused')"
        refused = listener.origin.replace("127.0.0.1", "localhost")
        in_worker = (
            "new Promise((done) => {{ const one = new Worker(URL.createObjectURL(new Blob([`{}.then(postMessage)`])));"
            " one.onmessage = (event) => done(event.data); }})"
        )
        assert await tab.evaluate(reached % f"{listener.origin}/facts.js") == "reached"
        assert await tab.evaluate(reached % f"{refused}/facts.js") == "refused"
        assert await tab.evaluate(in_worker.format(reached % f"{listener.origin}/facts.js")) == "reached"
        assert await tab.evaluate(in_worker.format(reached % f"{refused}/facts.js")) == "refused"
        assert await tab.evaluate("outerHeight > innerHeight"), "and it is worn there"
