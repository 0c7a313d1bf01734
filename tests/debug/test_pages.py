"""How fast pages are, what is wrong with them, and where an element is: told from the real thing, without the page noticing."""

import pytest

from boathook.errors import BadRequest, Unsupported
from boathook.presentation.all_renderers import as_text

BROKEN = "<img src='data:,'><input><p style='color:#eee;background:#fff'>pale</p><div id=part><button></button></div>"


def figures(vitals):
    return {figure.name: figure for figure in vitals.figures}


async def test_vitals_are_those_of_the_page(tab, site):
    page = site.page("<h1 id=big style='font-size:80px'>A large heading</h1><p>Words</p>")
    seen = await tab.vitals(page)
    told = figures(seen)
    assert seen.url == page
    assert 0 < told["ttfb"].value <= told["fcp"].value <= told["lcp"].value
    assert (told["cls"].value, told["cls"].rating) == (0, "good")
    assert (told["inp"].value, told["inp"].rating) == (None, "not measured")
    assert seen.largest == "h1#big"
    assert "Largest Contentful Paint (LCP): " in as_text(seen)


async def test_shifts_and_slow_answers_are_measured(tab, site):
    await tab.goto(
        site.page(
            "<div id=top></div><p style='height:300px'>Words that are pushed down</p>"
            "<button onclick='const end = performance.now() + 300; while (performance.now() < end);'>Slow</button>"
        )
    )
    # Only what was painted before can shift, and a shift that comes after the click would count as its doing.
    await tab.evaluate(
        """() => new Promise(done => {
            const top_ = document.querySelector('#top')
            const shifting = setInterval(() => { top_.style.height = top_.clientHeight ? 0 : '400px' }, 100)
            new PerformanceObserver(() => { clearInterval(shifting); done() }).observe({ type: 'layout-shift' })
        })""",
        timeout=30,
    )
    await tab.click("text=Slow")
    told = figures(await tab.vitals())
    assert told["cls"].value > 0.05
    assert told["inp"].value >= 300
    assert told["inp"].rating in {"needs improvement", "poor"}


async def test_an_audit_names_what_is_wrong_and_where(tab, site):
    audit = await tab.a11y(site.page(BROKEN))
    found = {violation.rule: violation for violation in audit.violations}
    assert {"image-alt", "label", "color-contrast", "button-name"} <= set(found)
    assert found["image-alt"].impact == "critical"
    [place] = found["button-name"].places
    assert place.ref.startswith("@e")
    assert await tab.get_html(place.ref) == "<button></button>"
    assert "critical image-alt" in as_text(audit)
    assert await tab.evaluate("typeof axe") == "undefined", "the page does not see it"


async def test_an_audit_keeps_to_its_part_and_its_tags(tab, site):
    await tab.goto(site.page(BROKEN))
    part = await tab.a11y(selector="#part")
    assert [violation.rule for violation in part.violations] == ["button-name"]
    contrast = await tab.a11y(tags=["wcag143"])
    assert [violation.rule for violation in contrast.violations] == ["color-contrast"]
    with pytest.raises(BadRequest, match="nothing matches"):
        await tab.a11y(selector="#nowhere")
    good = await tab.a11y(site.page("<main><h1>Fine</h1></main>"), tags=["wcag2a"])
    assert as_text(good).startswith("no violations")


async def test_without_axe_an_error_says_how_to_get_it(tab, site, tmp_path, monkeypatch):
    await tab.goto(site.page("x"))
    with pytest.raises(BadRequest, match="cannot be read"):
        await tab.a11y(axe=tmp_path / "axe.min.js")
    monkeypatch.setattr("boathook.engine.debug.audit.PACKAGE", "no_such_package")
    with pytest.raises(Unsupported, match="not installed") as caught:
        await tab.a11y()
    assert "boathook[a11y]" in caught.value.hint


async def test_an_element_is_pointed_out_and_the_page_stays_as_it_is(tab, site):
    await tab.goto(site.page("<button>Here</button>"))
    before = await tab.get_html("body")
    assert (await tab.highlight("text=Here")).ref.startswith("@e")
    assert await tab.get_html("body") == before
    assert await tab.highlight(clear=True) is None
    for wrong in ({}, {"target": "text=Here", "clear": True}):
        with pytest.raises(BadRequest):
            await tab.highlight(**wrong)


async def test_matched_rules_say_where_they_stand_and_what_wins(tab, site):
    style = "<style>\np { color: red; margin: 1px }\n#one { color: green }\np { margin: 2px !important }\n</style>"
    await tab.goto(site.page("<p id=one style='padding: 3px'>Words</p><i>x</i>", head=style))
    told = await tab.styles("#one")
    assert [rule.selector for rule in told.rules] == ["style attribute", "#one", "p", "p"]
    won = {
        (declaration.name, declaration.value.split()[0])
        for rule in told.rules
        for declaration in rule.declarations
        if declaration.wins
    }
    assert won == {("padding", "3px"), ("color", "green"), ("margin", "2px")}
    assert told.rules[1].source.endswith(":3")
    assert "(color: red)" in as_text(told)
    assert as_text(await tab.styles("i")).startswith("no rule")


async def test_coverage_tells_what_was_loaded_for_nothing(tab, site):
    body = "<p class=used>x</p><script>function used() { return 1 }\nfunction unused() { return 'a long way to say nothing' }\nused()</script>"
    page = site.page(body, head="<style>.used { color: red } .unused { color: blue; margin: 0 }</style>")
    await tab.coverage_start()
    with pytest.raises(BadRequest, match="already"):
        await tab.coverage_start()
    await tab.goto(page)
    told = await tab.coverage_stop()
    kinds = {file.kind: file for file in told.files}
    assert 0 < kinds["script"].used < kinds["script"].total
    assert kinds["style"].used == len(".used { color: red }")
    assert "characters used" in as_text(told)
    with pytest.raises(BadRequest, match="coverage is not running"):
        await tab.coverage_stop()
