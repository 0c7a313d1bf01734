"""Text and controls that a person cannot see: left out or marked, and nothing visible is marked by mistake."""

import pytest

from tests.support.thorough import sample

MARK = "[hidden-looking]"
HELPER = "position:absolute;width:1px;height:1px;overflow:hidden;"

TRICKS = {
    "moved to the left": "position:absolute;left:-9999px",
    "moved up": "position:fixed;top:-2000px",
    "moved by a margin": "margin-left:-9999px;width:200px",
    "moved by a transform": "transform:translateX(-9999px)",
    "moved in font sizes": "position:absolute;left:-99em",
    "clipped to nothing": "position:absolute;clip:rect(0 0 0 0)",
    "clipped to a dot": "position:absolute;clip:rect(1px,1px,1px,1px)",
    "clipped by a path": "clip-path:inset(50%)",
    "clipped by a circle": "clip-path:circle(0)",
    "visually hidden": HELPER,
    "without height": "height:0;overflow:hidden",
    "without room": "max-height:0;overflow:hidden",
    "faded out": "opacity:0",
    "nearly faded out": "opacity:.01",
    "scaled to nothing": "transform:scale(0)",
    "scaled to nothing by the property": "scale:0",
}
WORD_TRICKS = {
    "without font size": "font-size:0",
    "in a tiny font": "font-size:1px",
    "indented away": "text-indent:-9999px;overflow:hidden",
    "transparent": "color:transparent",
    "transparent by alpha": "color:rgba(10,20,30,0)",
    "white on white": "color:#fff",
    "nearly white on white": "color:#fefefe;background:#fff",
    "in the colour of its box": "color:#123456;background-color:#123456",
}
VISIBLE = {
    "half faded": "opacity:.5",
    "white on black": "color:#fff;background:#000",
    "white on a picture": "color:#fff;background:linear-gradient(red,blue)",
    "cut out of a gradient": "color:transparent;background:linear-gradient(red,blue);background-clip:text",
    "a little to the left": "position:relative;left:-3px",
    "centred by a transform": "position:absolute;left:50%;top:50%;transform:translate(-50%,-50%)",
    "scaled a little": "transform:scale(.9)",
    "clipped a little": "clip-path:inset(5%)",
    "far below the fold": "margin-top:5000px",
    "thin but overflowing": "height:0",
    "sticky": "position:sticky;top:0;background:#eee",
}


@pytest.fixture
def tab(lasting_tab):
    return lasting_tab


async def shown(tab, site, body, *, head="", **options):
    await tab.goto(site.page(body, head=head))
    return str(await tab.snapshot(budget=None, fold=False, **options))


def dressed(style, *, by):
    """A page with one text and one control in a box of this style, beside a visible text and control."""
    box = f"style='{style}'" if by == "attribute" else "class=trick"
    head = f"<style>.other{{color:red}} .trick{{{style}}}</style>" if by == "rule" else ""
    body = (
        f"<p>Plain words <button>Plain</button></p>"
        f"<div {box}><p>Ghost words <button {box}>Ghost</button></p></div><p>After <a href=/x>Link</a></p>"
    )
    return {"body": body, "head": head}


def both_ways(styles, *, most=3):
    """Every style by a rule, and some of them by an attribute as well."""
    rules = [pytest.param(style, "rule", id=f"{name} by a rule") for name, style in styles.items()]
    few = sample(styles.items(), most)
    return rules + [pytest.param(style, "attribute", id=f"{name} by an attribute") for name, style in few]


@pytest.mark.parametrize(("style", "by"), both_ways(TRICKS))
async def test_what_cannot_be_seen_is_left_out_and_its_controls_are_marked(tab, site, style, by):
    text = await shown(tab, site, **dressed(style, by=by))
    lines = text.splitlines()
    assert "Ghost words" not in text
    assert next(line for line in lines if 'button "Ghost"' in line).endswith(MARK)
    assert any('"Plain words"' in line and MARK not in line for line in lines)
    assert not any(MARK in line for line in lines if "Plain" in line or "Link" in line)


@pytest.mark.parametrize("style", TRICKS.values(), ids=TRICKS.keys())
async def test_the_full_text_keeps_what_cannot_be_seen_and_says_so(tab, site, style):
    text = await shown(tab, site, **dressed(style, by="rule"), mode="full")
    assert f'"Ghost words" {MARK}' in text
    assert '"Plain words"\n' in text


@pytest.mark.parametrize(("style", "by"), both_ways(WORD_TRICKS))
async def test_words_without_ink_are_left_out(tab, site, style, by):
    page = dressed(style, by=by)
    text = await shown(tab, site, **page)
    assert "Ghost words" not in text
    assert '"Plain words"' in text
    assert f'"Ghost words" {MARK}' in await shown(tab, site, **page, mode="full")


@pytest.mark.parametrize(("style", "by"), both_ways(VISIBLE))
async def test_what_can_be_seen_is_never_marked(tab, site, style, by):
    text = await shown(tab, site, **dressed(style, by=by), mode="full")
    assert '"Ghost words"\n' in text
    assert 'button "Ghost"' in text
    assert MARK not in text


async def test_things_scrolled_out_of_view_are_not_marked(tab, site):
    style = "position:relative;left:0;transform:translate(-100px,-100px) scale(1)"
    await tab.goto(
        site.page(
            f"<div id=box style='height:200px;overflow:auto'><div style='height:150px'></div>"
            f"<p style='{style};margin:100px'>Ghost words <button>Inside</button></p>"
            f"<div style='height:3000px'></div></div><div style='height:4000px'></div>"
        )
    )
    await tab.evaluate("[box.scrollTop = 2500, scrollTo(0, 1500)]")
    text = str(await tab.snapshot(mode="full"))
    assert 'button "Inside"' in text
    assert MARK not in text


async def test_ink_chosen_again_inside_is_seen(tab, site):
    text = await shown(
        tab, site, "<p style='font-size:0'>Gap <b style='font-size:16px'>Words</b> <a href=/x>Link</a></p>"
    )
    assert '"Words"' in text
    assert "Gap" not in text


async def test_hidden_labels_still_name_their_controls(tab, site):
    text = await shown(
        tab, site, f"<button><i></i><span style='{HELPER}'>Delete</span></button><label for=q style='{HELPER}'>"
        "Search for</label><input id=q>"
    )  # fmt: skip
    assert 'button "Delete"' in text
    assert 'textbox "Search for"' in text
    assert MARK not in text


async def test_a_control_drawn_over_a_faded_native_one_stays_usable(tab, site):
    text = await shown(tab, site, "<label><input type=checkbox style='opacity:0' checked> Agree</label>")
    assert "[checked hidden-looking]" in text


async def test_a_picture_in_place_of_words_leaves_a_link_as_it_is(tab, site):
    style = "display:block;width:90px;height:30px;text-indent:-9999px;background:linear-gradient(red,blue)"
    text = await shown(tab, site, f"<a href=/ style='{style}'>Home</a>")
    assert 'link "Home"' in text
    assert MARK not in text


@pytest.mark.parametrize(
    "declaration", ["OPACITY:0", "opacity:/**/0", r"opa\63ity:0", "opacity : 0.0 !important"]
)
async def test_odd_spellings_do_not_escape(tab, site, declaration):
    text = await shown(tab, site, **dressed(declaration, by="rule"), mode="full")
    assert f'"Ghost words" {MARK}' in text


async def test_words_hidden_by_inserted_and_by_adopted_rules_are_noticed(tab, site):
    await tab.goto(
        site.page(
            "<style></style><p class=one>First</p><p class=two>Second</p><p>Third</p><script>"
            "document.styleSheets[0].insertRule('.one { opacity: 0 }');"
            "const sheet = new CSSStyleSheet(); sheet.replaceSync('@media all { .two { color: transparent } }');"
            "document.adoptedStyleSheets = [sheet];</script>"
        )
    )
    text = str(await tab.snapshot(mode="full"))
    assert f'"First" {MARK}' in text
    assert f'"Second" {MARK}' in text
    assert '"Third"\n' in text + "\n"


async def test_a_scoped_snapshot_knows_that_its_surroundings_are_hidden(tab, site):
    text = await shown(
        tab, site, "<div style='opacity:0'><nav><p>Ghost words <button>Go</button></p></nav></div>"
    )
    ref = next(line for line in text.splitlines() if "navigation" in line).split("@")[1].split()[0]
    inside = str(await tab.snapshot(root="@" + ref, mode="full"))
    assert f'"Ghost words" {MARK}' in inside


async def test_a_rule_edited_in_place_hides_what_it_is_for(tab, site):
    await tab.goto(
        site.page(
            "<p class=one>First <button>One</button></p><p>Second</p>", head="<style>.one{top:0}</style>"
        )
    )
    assert 'button "One"' in str(await tab.snapshot(mode="full"))
    await tab.evaluate("document.styleSheets[0].cssRules[0].style.display = 'none'")
    text = str(await tab.snapshot(mode="full"))
    assert "One" not in text
    assert '"Second"' in text
