"""Acting on a page: single actions, and a form from the first field to the answer."""

from __future__ import annotations

import re

from drivers.base import Target, Unsupported

BUTTON = Target("button", "Press me", "#b")
FIELD = Target("textbox", "Plain input", "#i")
LONG_FIELD = Target("textbox", "Long text", "#t")
CHOICE = Target("combobox", "Colour", "#s")
FORM = {
    "first": Target("textbox", "First name", "[name=first]"),
    "last": Target("textbox", "Last name", "[name=last]"),
    "email": Target("textbox", "Email", "[name=email]"),
    "city": Target("textbox", "City", "[name=city]"),
    "notes": Target("textbox", "Notes", "[name=notes]"),
    "size": Target("combobox", "Size", "[name=size]"),
    "terms": Target("checkbox", "Accept terms", "[name=terms]"),
    "go": Target("button", "Place order", "button"),
}
ANSWERS = {"first": "Ada", "last": "Byron", "email": "ada@example.org", "city": "London", "notes": "x" * 120}
LONG = ("The quick brown fox jumps over the lazy dog. " * 23)[:1000]


async def single_actions(run) -> None:
    refs: dict = {}

    async def prepare(driver, _turn):
        await driver.open(run.url("actions"))
        text = await driver.snapshot() if driver.SNAPSHOT and driver.REFS else ""
        wanted = {"button": BUTTON, "field": FIELD, "long": LONG_FIELD, "choice": CHOICE}
        refs[driver.name] = {key: driver.resolve(text, target) for key, target in wanted.items()}

    async def click(driver, _turn):
        before = int(re.search(r"\d+", str(await driver.read("#n"))).group())
        _, ms = await run.timed(driver, driver.click(refs[driver.name]["button"]))
        value, reading = await run.timed(driver, driver.read("#n"))
        if f"{before + 1}" not in str(value):
            raise RuntimeError(f"count {before} -> {value!r}")
        run.record.add(driver.name, "W4.click", ms)
        run.record.add(driver.name, "W4.click_observe", ms + reading)
        run.record.add(driver.name, "W4.read", reading)

    async def fill(driver, _turn):
        if driver.SLOW:
            raise Unsupported
        _, ms = await run.timed(driver, driver.fill(refs[driver.name]["long"], LONG))
        run.record.add(driver.name, "W4.fill1000", ms)

    async def type_text(driver, _turn):
        _, ms = await run.timed(driver, driver.type(refs[driver.name]["field"], "hello world 12345678"))
        run.record.add(driver.name, "W4.type20", ms)

    async def select(driver, turn):
        value, label = (("green", "Green"), ("blue", "Blue"))[turn % 2]
        _, ms = await run.timed(driver, driver.select(refs[driver.name]["choice"], value, label))
        run.record.add(driver.name, "W4.select", ms)

    async def traffic(driver, _turn):
        ref = refs[driver.name]
        for item, work in (
            ("W4.click", lambda: driver.click(ref["button"])),
            ("W4.fill1000", lambda: driver.fill(ref["long"], LONG)),
            ("W4.select", lambda: driver.select(ref["choice"], "red", "Red")),
        ):
            if not driver.SLOW or item != "W4.fill1000":
                run.record.fact(driver.name, item, **await driver.traffic_of(work()))

    rounds = run.options.rounds
    await run.each("W4.prep", prepare, 1)
    await run.each("W4.traffic", traffic, 1, list(refs))
    await run.each("W4.click", click, rounds * 3, list(refs))
    await run.each("W4.fill1000", fill, rounds * 2, list(refs))
    await run.each("W4.type20", type_text, rounds, list(refs))
    await run.each("W4.select", select, rounds * 2, list(refs))


async def fill_form(driver, url: str, step=None) -> None:
    """The twelve steps, from the empty form to the picture of the answer; `step` may time each."""
    step = step or _plainly
    await step(driver.open(url))
    text = await step(driver.snapshot()) if driver.SNAPSHOT else ""
    refs = {key: driver.resolve(text, target) for key, target in FORM.items()}
    for key, answer in ANSWERS.items():
        await step(driver.fill(refs[key], answer))
    await step(driver.select(refs["size"], "m", "Medium"))
    await step(driver.check(refs["terms"]))
    await step(driver.click(refs["go"]))
    await step(driver.wait_text("Result:"))
    said = await step(driver.read("#r"))
    await step(driver.screenshot())
    if "Ada|Byron|ada@example.org|London|120|m|yes" not in str(said):
        raise RuntimeError(f"result {said!r}")


async def _plainly(work):
    return await work


async def form(run) -> None:
    async def sample(driver, _turn):
        total = 0.0

        async def step(work):
            nonlocal total
            value, ms = await run.timed(driver, work)
            total += ms
            return value

        await fill_form(driver, run.url("form"), step)
        run.record.add(driver.name, "W5.form", total)

    async def in_one_call(driver, _turn):
        if not hasattr(driver, "batch"):
            raise Unsupported
        steps = [["open", run.url("form")]]
        steps += [["fill", FORM[key].css, answer] for key, answer in ANSWERS.items()]
        steps += [["select", FORM["size"].css, "m"], ["check", FORM["terms"].css], ["click", FORM["go"].css]]
        steps += [
            ["wait", "--text", "Result:"],
            ["get", "text", "#r"],
            ["screenshot", f"{driver.dir}/batch.png"],
        ]
        texts, ms = await run.timed(driver, driver.batch(steps))
        if "Ada|Byron|ada@example.org|London|120|m|yes" not in texts[-2]:
            raise RuntimeError(f"result {texts[-2]!r}")
        run.record.add(driver.name, "W5.batch", ms)

    await run.each("W5.form", sample)
    await run.each("W5.batch", in_one_call)
    run.keep_memory()
