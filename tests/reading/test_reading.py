"""Reading pages: what is kept, what is left out, and what is said when there is nothing."""

from __future__ import annotations

import contextlib
import stat

import pytest

from boathook.errors import BadRequest, BadSetting, TabCrashed, TargetNotFound, TimedOut

PROSE = "The tide comes in twice a day, and with it the boats, the gulls and the smell of salt. " * 3


@pytest.fixture
def tab(lasting_tab):
    return lasting_tab


async def read(tab, site, body, format="markdown", *, head="", **options):
    await tab.goto(site.page(body, head=head))
    return await tab.read(format, **options)


async def test_a_page_without_a_main_part_is_read_whole(tab, site):
    reading = await read(tab, site, "<div><b>Total</b> 12</div><div>Open 3</div>")
    assert reading.found == "body"
    assert reading.text == "**Total** 12\n\nOpen 3"
    assert reading.whole
    assert reading.path is None


@pytest.mark.parametrize("format", ["markdown", "text", "html", "outline", "tables"])
async def test_a_page_with_nothing_on_it_says_so_in_words(tab, site, format):
    reading = await read(tab, site, "<p hidden>Unseen</p>", format)
    assert reading.found == "nothing"
    assert reading.text.startswith("(nothing to read: no ")
    assert reading.length == 0


async def test_menus_banners_and_sidebars_are_left_out_and_the_text_stays(tab, site):
    reading = await read(
        tab,
        site,
        f"""<header><a href=/>Paper</a><nav><a href=/n>News</a></nav></header>
        <div class="sidebar-layout has-ads"><div class=cookie-bar style="position:fixed">We use cookies</div>
        <div class=story><h1>Tides</h1><p>{PROSE}</p><aside class=note><p>Mind the mud.</p></aside>
        <div class=share><a href=#>Tweet</a></div><p>{PROSE}</p>
        <section><h2>Related articles</h2><ul><li><a href=/r>Ebb</a></li></ul></section></div>
        <div class=sidebar><h3>Most read</h3><a href=/s>Storms</a></div></div><footer>© Paper</footer>""",
    )
    assert reading.found == "main"
    assert reading.text == f"# Tides\n\n{PROSE.strip()}\n\nMind the mud.\n\n{PROSE.strip()}"


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Blog: building a canoe", "<div class=sidebar-layout><div><h1>Building a canoe</h1></div>{}</div>"),
        ("Tides - The Coast", "<header><h1>The Coast</h1></header><h2>Tides</h2>{}"),
        ("Mending nets", "<p><b>Mending nets</b></p>{}"),
        ("Long walks", "<header class=hero><h1>Long walks</h1></header><main>{}</main>"),
    ],
)
async def test_the_title_comes_first_wherever_it_stands(tab, site, title, body):
    prose = f"<div class=text><p>{PROSE}</p><p>{PROSE}</p></div>"
    await tab.goto(site.page(body.format(prose), title=title))
    first = (await tab.read()).text.split("\n")[0]
    assert first.lstrip("# ").lower() in title.lower()
    assert first.startswith("# ") or "<h2>" in body
    assert "Coast" not in first


@pytest.mark.parametrize(
    "kept",
    [
        "<div class=signature><code>push(x)</code></div>",
        "<section><h2>Tags</h2><p>push(x)</p></section>",
        "<div class=leaderboard><p>push(x)</p></div>",
        "<aside><p>push(x) is what you want.</p></aside>",
        "<details><summary>More</summary><a href=/p>push(x)</a></details>",
        "<div class=search-results><h3><a href=/p>push(x)</a></h3></div>",
        "<p>Press <a href=/p>push(x)</a> or <button>Save</button> to go on.</p>",
        "<ol class=commentlist><li class=review><p>push(x)</p></li></ol>",
    ],
)
async def test_names_that_sound_like_furniture_do_not_lose_the_text(tab, site, kept):
    reading = await read(tab, site, f"<main><h1>Stack</h1><p>{PROSE}</p><p>{PROSE}</p>{kept}</main>")
    assert "push(x)" in reading.text
    assert reading.found == "main"


async def test_what_nobody_sees_is_not_read(tab, site):
    reading = await read(
        tab,
        site,
        f"""<main><h1>Seen</h1><p>{PROSE}</p><p style="display:none">gone1</p><p style="visibility:hidden">gone2</p>
        <p aria-hidden=true>gone3</p><p style="opacity:0">gone4</p><p style="position:absolute;left:-9999px">gone5</p>
        <p style="color:#fff;background:#fff">gone6</p><p style="font-size:0">gone7</p>
        <details><summary>Folded</summary><p>one press away</p></details></main>""",
    )
    assert "gone" not in reading.text
    assert "**Folded**\n\none press away" in reading.text


async def test_lists_quotes_code_and_breaks_keep_their_shape(tab, site):
    reading = await read(
        tab,
        site,
        f"""<main><p>{PROSE}</p><ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>
        <ol start=3><li>three</li><li value=7>seven</li></ol><blockquote><p>said</p><ul><li>so</li></ul></blockquote>
        <pre class="highlight"><code class="language-python">if x:\n\n    y = "```"\n</code></pre>
        <dl><dt>term</dt><dd>meaning</dd></dl><p>one<br>two <code>a`b</code></p></main>""",
    )
    assert "- a\n  - b\n- c\n\n3. three\n7. seven\n\n> said\n>\n> - so" in reading.text
    assert '````python\nif x:\n\n    y = "```"\n````' in reading.text
    assert "**term**\n: meaning\n\none  \ntwo ``a`b``" in reading.text


async def test_links_and_lazy_pictures_have_whole_addresses(tab, site):
    reading = await read(
        tab,
        site,
        f"""<main><p>{PROSE} <a href="../up?a=1">up</a> <a href="javascript:alert(1)">not</a></p>
        <img alt="A boat" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/boat.jpg" width=99 height=99></main>""",
    )
    assert f"[up]({site.origin}/up?a=1) not" in reading.text
    assert f"![A boat]({site.origin}/boat.jpg)" in reading.text


TABLE = """<table><caption>Tides</caption><thead><tr><th>Port</th><th colspan=2>High</th></tr></thead>
<tr><td rowspan=2>Hull</td><td>06:10</td><td>a|b</td></tr><tr><td>18:40</td><td>5 m</td></tr></table>"""


async def test_a_table_is_markdown_with_a_head_and_escaped_bars(tab, site):
    reading = await read(tab, site, f"<main><p>{PROSE}</p>{TABLE}</main>")
    assert reading.text.endswith(
        "Tides\n\n| Port | High |  |\n| --- | --- | --- |\n| Hull | 06:10 | a\\|b |\n|  | 18:40 | 5 m |"
    )


async def test_tables_come_as_rows_with_wide_cells_in_each_place(tab, site):
    reading = await read(
        tab,
        site,
        f"<main><p>{PROSE}</p><table role=presentation><tr><td>just layout</td></tr></table>{TABLE}</main>",
        "tables",
    )
    (table,) = reading.tables
    assert table.caption == "Tides"
    assert table.rows == [["Port", "High", "High"], ["Hull", "06:10", "a|b"], ["Hull", "18:40", "5 m"]]
    assert "layout" not in reading.text


async def test_the_outline_names_landmarks_and_headings_of_the_whole_page(tab, site):
    reading = await read(
        tab,
        site,
        "<header><nav aria-label=Site><a href=/>x</a></nav></header><main><h1>One</h1><h2>Two <i>b</i></h2></main>",
        "outline",
    )
    assert reading.text == 'banner\n  navigation "Site"\nmain\n  h1 One\n    h2 Two b'


async def test_html_comes_without_anything_that_acts(tab, site):
    reading = await read(
        tab,
        site,
        f"""<main onclick="evil()"><p style="color:red" onmouseover=evil()>{PROSE}<a href="javascript:evil()">x</a></p>
        <script>var evil</script><svg onload=evil()><script>evil</script></svg><pre>a\n\n  b &lt;i></pre></main>""",
        "html",
    )
    assert "evil" not in reading.text
    assert "<pre>a\n\n  b &lt;i&gt;</pre>" in reading.text


async def test_one_element_can_be_read_whatever_it_is_called(tab, site):
    body = f"<main><p>{PROSE}</p></main><nav id=menu><a href=/a>First</a> <button>Press</button></nav>"
    reading = await read(tab, site, body, target="css=#menu")
    assert reading.found == "target"
    assert reading.text == f"[First]({site.origin}/a) Press"
    with pytest.raises(TargetNotFound):
        await tab.read(target="css=#nowhere", timeout=10)


async def test_plain_text_has_no_markup(tab, site):
    body = f"<main><h2>Head</h2><p>{PROSE}<b>bold</b> <a href=/x>link</a></p>{TABLE}</main>"
    reading = await read(tab, site, body, "text")
    assert reading.text.startswith(f"Head\n\n{PROSE}bold link\n\nTides\n\nPort\tHigh\t\nHull\t06:10\ta|b")


async def test_shadow_trees_and_frames_are_read_in_their_places(tab, site):
    inner = site.page(f"<h2>Far</h2><p>{PROSE}</p><ul><li>deep</li></ul>").replace("127.0.0.1", "localhost")
    near = site.page("<p>A near frame says this to whoever reads it.</p>")
    reading = await read(
        tab,
        site,
        f"""<main><h1>Outer</h1><p>{PROSE}</p><x-box>slotted words</x-box>
        <iframe src="{near}" width=400 height=100></iframe><blockquote><iframe src="{inner}" width=400 height=200>
        </iframe></blockquote><p>The end.</p></main><script>customElements.define('x-box', class extends HTMLElement {{
        connectedCallback() {{ this.attachShadow({{mode: 'open'}}).innerHTML = '<h2>Shade</h2><slot></slot>'; }} }});
        </script>""",
    )
    assert reading.text == (
        f"# Outer\n\n{PROSE.strip()}\n\n## Shade\n\nslotted words\n\nA near frame says this to whoever reads it.\n\n"
        f"> ## Far\n> \n> {PROSE.strip()}\n> \n> - deep\n\nThe end."
    )


async def test_tables_of_frames_of_another_origin_are_found(tab, site):
    inner = site.page(TABLE).replace("127.0.0.1", "localhost")
    reading = await read(tab, site, f"<iframe src='{inner}' width=400 height=200></iframe>", "tables")
    assert [table.caption for table in reading.tables] == ["Tides"]


async def test_a_long_page_is_cut_at_a_line_end_and_saved_for_its_owner_only(tab, site):
    body = "<main>" + "".join(f"<p>Paragraph {at}: {PROSE}</p>" for at in range(400)) + "</main>"
    reading = await read(tab, site, body, limit=2_000)
    *shown, last = reading.text.split("\n")
    assert not reading.whole
    assert len("\n".join(shown)) <= 2_000
    assert shown[-2].endswith("salt.")
    assert str(reading.path) in last
    assert stat.S_IMODE(reading.path.stat().st_mode) == 0o600
    saved = reading.path.read_text()
    assert len(saved) == reading.length
    assert "Paragraph 399:" in saved
    whole = await tab.read(limit=10_000_000)
    assert whole.whole
    assert whole.text == saved


async def test_saved_readings_go_away_with_the_browser(browser_with, site):
    browser = await browser_with()
    tab = await browser.open(site.page(f"<main><p>{PROSE}</p><p>{PROSE}</p></main>"))
    path = (await tab.read(limit=10)).path
    assert path.exists()
    await browser.close()
    assert not path.exists()


async def test_characters_that_act_or_reorder_are_written_out_and_languages_stay_whole(tab, site):
    reading = await read(
        tab,
        site,
        f"<main><p>{PROSE}</p><p>a\u202eb\x1b[31m so\u00adft ze\u200bro \U0001f469\u200d\U0001f680 "
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 x\U000e0041y</p></main>",
    )
    assert reading.text.endswith(
        "a\\u{202e}b\\u{1b}[31m soft zero \U0001f469\u200d\U0001f680 "
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 x\\u{e0041}y"
    )


async def test_a_pdf_is_read_page_by_page(tab, site):
    await tab.goto(site.page("<h1>Receipt</h1><p>Paid 12</p><p style='break-before:page'>Thanks</p>"))
    site._given["given/read.pdf"] = ("application/pdf", (await tab.pdf()).data)
    await tab.goto(site.url("given/read.pdf"))
    reading = await tab.read()
    assert reading.text.startswith("## Page 1\n\nReceipt\n")
    assert "Paid 12\n\n## Page 2\n\nThanks" in reading.text
    with pytest.raises(BadRequest):
        await tab.read("tables")


async def test_a_page_that_replaces_the_builtins_is_read_all_the_same(tab, site):
    reading = await read(
        tab,
        site,
        f"""<main><form><input name=children><input name=attributes><input name=tagName><input name=parentNode>
        <p>{PROSE}</p><p>{PROSE}</p></form></main><img name=body><img name=title>
        <script>for (const name of ['map', 'push', 'join', 'filter']) Array.prototype[name] = () => 'forged';
        String.prototype.replace = () => 'forged'; JSON.stringify = () => 'forged';
        Object.defineProperty(Node.prototype, 'firstChild', {{ get() {{ return null; }} }});
        Element.prototype.getAttribute = () => 'forged'; window.getComputedStyle = () => null;
        </script>""",
    )
    assert reading.text == f"{PROSE.strip()}\n\n{PROSE.strip()}"
    assert reading.found == "main"


NEST = """depth => { let at = document.querySelector('main');
for (let i = 0; i < depth; i++) at = at.appendChild(document.createElement('div'));
at.textContent = 'the bottom'; }"""


@pytest.mark.parametrize("format", ["markdown", "text", "html"])
async def test_elements_deep_inside_each_other_are_read_to_the_bottom(tab, site, format):
    await tab.goto(site.page(f"<main><h1>Deep</h1><p>{PROSE}</p></main>"))
    await tab.evaluate(NEST, 1_000)
    assert "the bottom" in (await tab.read(format)).text


async def test_a_page_too_deep_for_chromium_itself_is_a_typed_error_and_the_tab_comes_back(tab, site):
    await tab.goto(site.page(f"<main><p>{PROSE}</p></main>"))
    with contextlib.suppress(TabCrashed, TimedOut):
        await tab.evaluate(NEST, 10_000)
        await tab.read(timeout=30)
    reading = await read(tab, site, f"<main><p>{PROSE}</p></main>")
    assert reading.text == PROSE.strip()


async def test_a_hundred_thousand_nodes_are_read_within_the_deadline(tab, site):
    reading = await read(
        tab,
        site,
        f"""<main><p>{PROSE}</p></main><script>document.querySelector('main').insertAdjacentHTML('beforeend',
        '<ul>' + '<li>item <b>b</b> <a href=/x>link</a></li>'.repeat(25000) + '</ul>');</script>""",
        timeout=20,
    )
    assert reading.length > 25_000 * len("- item **b** [link]()")


FLOODS = {
    "breaks": "a" + "<br>" * 100_000 + "b",
    "backticks": "<code>" + "` " * 100_000 + "</code><pre>" + "``` " * 100_000 + "</pre>",
    "brackets": "<a href=/x>" + "[" * 100_000 + "</a>",
    "blanks in code": "<pre>a" + " " * 200_000 + "b</pre>",
    "cells": "<table><tr><th>h</th></tr>" + "<tr><td><a href=/x>c</a></td></tr>" * 10_000 + "</table>",
    "wide cells": "<table>" + "<tr><td colspan=1000 rowspan=65534>w</td><td>x</td></tr>" * 100 + "</table>",
    "lists": "<ul><li>x" * 300,
}


@pytest.mark.parametrize("flood", FLOODS)
async def test_a_flood_of_one_thing_is_read_within_the_deadline(tab, site, flood):
    reading = await read(tab, site, f"<main><p>{PROSE}</p><div>{FLOODS[flood]}</div></main>", timeout=20)
    assert reading.found == "main"
    assert PROSE.strip() in reading.text


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": -1}, {"limit": "many"}])
async def test_a_limit_that_cannot_be_is_refused(tab, options):
    with pytest.raises(BadSetting):
        await tab.read(**options)


async def test_a_format_that_does_not_exist_is_refused_with_the_list(tab):
    with pytest.raises(BadRequest, match=r"'docx'.*markdown, text, html, outline, tables"):
        await tab.read("docx")
