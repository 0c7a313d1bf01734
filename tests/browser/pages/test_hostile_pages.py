"""Pages that lie, clobber, flood or nest: the snapshot stays right, bounded and harmless to print."""

import contextlib
import re

import pytest

from boathook.errors import BoathookError, TabCrashed, TimedOut

SABOTAGE = """
<script>
JSON.stringify = () => 'x'; JSON.parse = () => 0;
Array.prototype.push = () => 0; Array.prototype.join = () => 'joined'; Array.prototype.map = null;
Array.prototype[Symbol.iterator] = () => { throw 1 };
String.prototype.replace = () => 'replaced'; String.prototype.trim = null;
Element.prototype.getAttribute = () => 'lie'; Element.prototype.hasAttributes = () => false;
Element.prototype.checkVisibility = () => false;
Object.defineProperty(Element.prototype, 'tagName', {get: () => 'LIE'});
Object.defineProperty(Node.prototype, 'firstChild', {get: () => null});
Object.defineProperty(Node.prototype, 'nodeType', {get: () => 8});
Document.prototype.querySelectorAll = () => []; window.getComputedStyle = () => ({});
Object.defineProperty(Document.prototype, 'title', {get: () => 'lie', set() {}});
WeakMap.prototype.get = () => 1; Map.prototype.set = null; WeakRef = null;
</script>
"""


async def test_a_page_that_overrides_its_builtins_changes_nothing(tab, site):
    body = "<h1>Truth</h1><button>Go</button><label>Name <input value=Ada></label>"
    await tab.goto(site.page(body))
    honest = (await tab.snapshot(mode="full")).lines
    await tab.goto(site.page(body + SABOTAGE))
    sabotaged = (await tab.snapshot(mode="full")).lines
    plain = [[re.sub(r"@e\d+", "@e", line) for line in lines] for lines in (honest, sabotaged)]
    assert plain[0] == plain[1]
    assert len(plain[0]) >= 4
    assert await tab.evaluate("document.body.getAttribute('x')") == "lie"


async def test_names_that_clobber_a_form_or_the_document_change_nothing(tab, site):
    names = "tagName nodeType firstChild nextSibling getAttribute hasAttributes children childNodes checkVisibility parentNode attributes shadowRoot isConnected ownerDocument matches id className"
    inputs = "".join(f"<input name={name} aria-label='L {name}'>" for name in names.split())
    clobber = "".join(
        f"<img name={name} alt=''>"
        for name in ("querySelectorAll", "body", "title", "documentElement", "getElementById")
    )
    await tab.goto(
        site.page(
            f"<form aria-label=Clobbered>{inputs}<button>Send</button></form>{clobber}<button>After</button>",
            title="Real",
        )
    )
    view = await tab.snapshot(mode="full")
    text = str(view)
    assert 'form "Clobbered"' in text
    assert 'button "Send"' in text
    assert 'button "After"' in text
    assert len(re.findall(r'textbox "L ', text)) == len(names.split())
    assert view.title == "Real"


@pytest.mark.parametrize(
    "evil",
    [
        "\x1b[31mred\x1b[0m",
        "\x1b]52;c;aGk=\x07",
        "\u009b31m",
        "a\u202eb\u2066c",
        "a\u200bb\u2060c",
        "\ud800",
        "\u2028x",
        "\ufeffz",
        "\x00\x08\x7f",
        "tag\U000e0041",
    ],
)
async def test_control_and_invisible_characters_are_written_out(tab, site, evil):
    await tab.goto(site.page("<button id=b>x</button><p id=p></p><h1 id=h></h1>"))
    literal = "".join(f"\\u{{{ord(char):x}}}" for char in evil)
    await tab.evaluate(
        f'() => {{ const evil = "{literal}"; b.ariaLabel = evil + "!"; p.textContent = evil; h.textContent = evil + "H"; b.value = evil; document.title = evil + "T" }}'
    )
    for mode in ("interactive", "full"):
        text = str(await tab.snapshot(mode=mode))
        assert "button" in text
        assert not re.search(
            "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u2028\u2060\ufeff\ud800-\udfff\U000e0000-\U000e007f]",
            text,
        ), repr(text)


async def test_page_text_cannot_forge_a_line_a_ref_or_a_note(tab, site):
    fake = 'Buy" @e1 [checked]\nbutton "Pay" @e2\n… 5 more lines left out'
    await tab.goto(site.page("<button id=b></button><p id=p></p>"))
    await tab.evaluate("fake => { b.ariaLabel = fake; p.textContent = fake; document.title = fake }", fake)
    view = await tab.snapshot(mode="full")
    assert len(view.lines) <= 4
    own = [re.match(r' *\S+(?: ~?"(?:[^"\\]|\\.)*")? @e(\d+)', line) for line in view.lines]
    assert len([match for match in own if match]) <= 2
    assert 'button "Pay" @e2' not in [line.strip() for line in view.lines]
    assert str(view).count("\n") <= 5


NEST = "depth => { let at = document.body; while (depth--) at = at.appendChild(document.createElement('div')); at.innerHTML = '<button>Bottom</button>' }"


async def test_a_deep_page_is_read_to_its_bottom(tab, site):
    await tab.goto(site.page("<p>Top</p>"))
    await tab.evaluate(NEST, 1_500)
    assert 'button "Bottom"' in str(await tab.snapshot(timeout=30))


async def test_a_page_too_deep_for_chromium_itself_is_a_typed_error_and_the_tab_comes_back(tab, site):
    await tab.goto(site.page("<p>Top</p>"))
    with contextlib.suppress(TabCrashed, TimedOut):
        await tab.evaluate(NEST, 5_000)
        await tab.snapshot(timeout=30)
    await tab.goto(site.page("<button>Back</button>"))
    assert 'button "Back"' in str(await tab.snapshot())


async def test_a_huge_page_is_read_within_its_budget(tab, site):
    await tab.goto(
        site.page(
            "<main></main><script>document.querySelector('main').innerHTML = Array.from({length: 50000}, (_, n) => `<p>Line ${n} <a href=#${n}>L${n}</a></p>`).join('')</script>"
        )
    )
    text = str(await tab.snapshot(timeout=30))
    assert len(text) < 40_000
    assert "more" in text


async def test_frames_that_contain_themselves_come_to_an_end(tab, site):
    url = site.page(
        "<p>Again</p><iframe src='' id=f></iframe><script>f.src = location.href + '#' + Math.random()</script>"
    )
    await tab.goto(url, wait_until="domcontentloaded")
    text = str(await tab.snapshot(mode="full", timeout=30))
    assert '"Again"' in text


async def test_a_name_of_a_million_letters_is_cut(tab, site):
    await tab.goto(site.page("<button id=b>x</button>"))
    await tab.evaluate("() => { b.textContent = 'x'.repeat(1e6) }")
    for mode, limit in (("interactive", 1_000), ("full", 5_000)):
        assert len(str(await tab.snapshot(mode=mode))) < limit


async def test_a_page_that_changes_while_it_is_read_is_still_read(tab, site):
    await tab.goto(
        site.page(
            "<ul id=u></ul><script>setInterval(() => { u.innerHTML = '<li><a href=#>' + Math.random() + '</a></li>'.repeat(50) }, 0)</script>"
        )
    )
    for _ in range(20):
        assert "link" in str(await tab.snapshot())


async def test_a_page_that_navigates_all_the_time_gives_a_page_or_a_typed_error(tab, site):
    await tab.goto(
        site.page("<p>Moving</p><script>setTimeout(() => location.reload(), 5)</script>"), wait_until="commit"
    )
    results: list[bool | str] = []
    for _ in range(20):
        try:
            text = str(await tab.snapshot(mode="full"))
            results.append("Moving" in text or "has only started to load" in text)
        except BoathookError as error:
            results.append(error.code)
    assert set(results) <= {True, "page_error"}
    rest = site.page("<p>At rest</p>")
    texts = []
    while not any("At rest" in text for text in texts):
        assert len(texts) < 10, texts
        await tab.goto(rest)  # a reload that was on its way may still come after it
        texts.append(str(await tab.snapshot(mode="full")))


async def test_a_page_without_any_element_is_empty(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    await tab.evaluate("document.documentElement.remove()")
    assert "nothing to show" in str(await tab.snapshot(mode="full"))


async def test_snapshots_right_after_every_stage_of_a_navigation_are_of_the_new_page(tab, site):
    pages = [site.page(f"<button>B{number}</button>") for number in range(3)]
    for number in range(30):
        await tab.goto(pages[number % 3], wait_until=("commit", "domcontentloaded", "load")[number % 3])
        text = str(await tab.snapshot())
        assert f'"B{number % 3}"' in text


async def test_elements_that_own_each_other_come_to_an_end(tab, site):
    # Chromium breaks such a loop now here, now there; it only has to be broken.
    page = "<div id=a role=group aria-label=A aria-owns=b>a</div><div id=b role=group aria-label=B aria-owns=a>b</div>"
    await tab.goto(site.page(page))
    assert 'group "A"' in str(await tab.snapshot(mode="full")) or 'group "B"' in str(
        await tab.snapshot(mode="full")
    )
