"""Snapshots look only at what may have changed since the last one, and show what a whole look at the page would show."""

import json

import pytest

from tests.support.engine import engine_of
from tests.support.thorough import at_most
from tools.stress_walks import COMPARE, MODES, stress

FILLER = "".join(f"<p>Filler {number}</p>" for number in range(20))

CHANGES = {
    "a text": ("<p id=t>Before</p>", "t.firstChild.data = 'After'"),
    "a text between two blocks": ("<div>one<div id=t></div>two</div>", "t.before('more ')"),
    "a text in an inline element": ("<p>one <b id=t>two</b> three</p>", "t.textContent = 'four'"),
    "a new block in a line of words": (
        "<div id=t>one two</div>",
        "t.firstChild.splitText(4).before(document.createElement('div'))",
    ),
    "an element that is gone": ("<ul><li>1<li id=t>2<li>3</ul>", "t.remove()"),
    "an element that moved": ("<nav><a id=t href=x>Link</a></nav><footer id=f></footer>", "f.append(t)"),
    "an element that changed while it was away": (
        "<div id=d><p id=t><a href=x>Link</a></p></div>",
        "const el = t, task = () => new Promise(done => setTimeout(done)); el.remove(); await task(); el.querySelector('a').textContent = 'Other'; await task(); d.append(el)",
    ),
    "a role of what stands around": (
        "<div id=t role=list><section><div role=listitem>One</div></section></div>",
        "t.removeAttribute('role')",
    ),
    "a language of what stands around": (
        "<div id=t lang=en><section><p>He said <q>no</q></p></section></div>",
        "t.lang = 'de'",
    ),
    "an empty cell that is filled": (
        "<table border=1><tr><th>Sum<td id=t></tr></table>",
        "t.textContent = '1'",
    ),
    "an attribute that makes a table one of data": (
        "<table><tr><td id=t>1<td>2</tr><tr><td>3<td>4</tr></table>",
        "t.scope = 'row'",
    ),
    "borders that make a table one of data": (
        "<style>.b td{border:1px solid}</style><table id=t><tr><td>1<td>2</tr><tr><td>3<td>4</tr></table>",
        "t.className = 'b'",
    ),
    "a summary before the summary": (
        "<details open id=t><summary>One</summary><p>Text</p></details>",
        "t.insertAdjacentHTML('afterbegin', '<summary>New</summary>')",
    ),
    "details that close": (
        "<details open id=t><summary>One</summary><div><p>Text</p><a href=x>Link</a></div></details>",
        "t.open = false",
    ),
    "the text of a label": (
        "<label for=i id=t>Name</label><div><div><input id=i></div></div>",
        "t.textContent = 'Mail'",
    ),
    "a label that comes": (
        "<div id=t></div><div><div><input id=i></div></div>",
        "t.innerHTML = '<label for=i>New</label>'",
    ),
    "a label that goes": ("<label for=i id=t>Name</label><div><div><input id=i></div></div>", "t.remove()"),
    "the target of a label": (
        "<label for=i>Name</label><div><div><input id=i><input id=j></div></div>",
        "i.id = ''; j.id = 'i'",
    ),
    "a label that is hidden by a rule": (
        "<style>.x label{display:none}</style><label for=i>Name</label><div><div><input id=i></div></div>",
        "document.body.className = 'x'",
    ),
    "the text that names another element": (
        "<h2 id=t>Old</h2><div><section aria-labelledby=t><a href=x>Link</a></section></div>",
        "t.textContent = 'New'",
    ),
    "an element that takes the id of a name": (
        "<h2 id=a>Old</h2><h2 id=t>New</h2><section aria-labelledby=a><a href=x>Link</a></section>",
        "a.id = ''; t.id = 'a'",
    ),
    "a value inside a name": ("<button>Pay <input id=t value=5> now</button>", "t.value = '7'"),
    "a chosen option inside a name": (
        "<a href=x>Go <select id=t><option>A<option>B</select></a>",
        "t.selectedIndex = 1",
    ),
    "an option": ("<select id=t aria-label=S><option>A<option>B</select>", "t.options[1].text = 'C'"),
    "a slot of an element": (
        "<div id=h><template shadowrootmode=open><p><slot name=one></slot></p><h2><slot name=two></slot></h2></template><b id=t slot=one>Text</b></div>",
        "t.slot = 'two'",
    ),
    "a name of a slot": (
        "<div id=h><template shadowrootmode=open><p><slot></slot></p><h2><slot name=two></slot></h2></template><b slot=one>Text</b></div>",
        "h.shadowRoot.querySelector('slot[name]').name = 'one'",
    ),
    "a slot before a slot": (
        "<div id=h><template shadowrootmode=open><p></p><h2><slot></slot></h2></template><b>Text</b></div>",
        "h.shadowRoot.querySelector('p').innerHTML = '<i><slot></slot></i>'",
    ),
    "a text in a slot": (
        "<div id=h><template shadowrootmode=open><button><slot></slot></button></template><b id=t>Text</b></div>",
        "t.textContent = 'Other'",
    ),
    "a text without an element in a slot": (
        "<div id=h><template shadowrootmode=open><button><slot></slot></button></template>Text</div>",
        "h.lastChild.data = 'Other'",
    ),
    "a text in a shadow root": (
        "<div id=h><template shadowrootmode=open><button>One</button></template></div>",
        "h.shadowRoot.querySelector('button').textContent = 'Two'",
    ),
    "a shadow root that comes late": (
        "<div id=h><p>Light</p></div>",
        "h.attachShadow({mode: 'open'}).innerHTML = '<button>In</button>'",
    ),
    "a shadow root of an empty element": (
        "<section><span id=h></span></section>",
        "h.attachShadow({mode: 'open'}).innerHTML = 'In'",
    ),
    "a rule of a shadow root": (
        "<div id=h><template shadowrootmode=open><style></style><p>One</p><a href=x>Link</a></template></div>",
        "h.shadowRoot.styleSheets[0].insertRule('a{display:none}')",
    ),
    "a text in a frame": (
        "<iframe id=f srcdoc='<p>One</p><a href=x>Link</a>'></iframe>",
        "f.contentDocument.querySelector('p').textContent = 'Two'",
    ),
    "another document in a frame": (
        "<iframe id=f srcdoc='<p>One</p>'></iframe>",
        "f.srcdoc = '<h2>Two</h2>'; await new Promise(done => f.onload = done)",
    ),
    "a class of what stands around": (
        "<style>.off a{display:none}</style><main><div><a href=x>Link</a></div></main>",
        "document.querySelector('main').className = 'off'",
    ),
    "a sibling that hides": (
        "<style>.off ~ div a{visibility:hidden}</style><p id=t></p><div><a href=x>Link</a></div>",
        "t.className = 'off'",
    ),
    "a neighbour for which rules count": (
        "<style>li:nth-child(2n){display:none}</style><ul id=t><li><a href=x>1</a><li><a href=x>2</a><li><a href=x>3</a></ul>",
        "t.prepend(document.createElement('li'))",
    ),
    "a text that a rule makes": (
        "<style>.x b::before{content:'so '}</style><p><b>it is</b></p><a href=x><b>link</b></a>",
        "document.body.className = 'x'",
    ),
    "a text that an attribute is": (
        "<style>b::after{content:attr(data-x)}</style><p><b id=t data-x=1>it is </b></p>",
        "t.dataset.x = '2'",
    ),
    "letters that a rule changes": (
        "<style>.x p,.x a{text-transform:uppercase}</style><p>low</p><a href=x>link</a>",
        "document.body.className = 'x'",
    ),
    "a cursor": (
        "<style>.x .c{cursor:pointer}</style><div class=c>Plain</div>",
        "document.body.className = 'x'",
    ),
    "a colour": ("<style>.x p{color:#fff}</style><p>Ghost</p>", "document.body.className = 'x'"),
    "a background behind a colour": (
        "<style>p{color:#fff} div{background:#000} .x div{background:#fff}</style><div><p>Ghost</p></div>",
        "document.body.className = 'x'",
    ),
    "a place far outside": (
        "<style>div{position:absolute;left:0} .x div{left:-9999px}</style><div><a href=x>Link</a></div>",
        "document.body.className = 'x'",
    ),
    "a box without a size": (
        "<style>div{overflow:hidden} .x div{height:0}</style><div><a href=x>Link</a></div>",
        "document.body.className = 'x'",
    ),
    "a rule that comes": (
        "<style></style><main><p>One</p></main>",
        "document.styleSheets[0].insertRule('p{visibility:hidden}')",
    ),
    "text of contents without a box": (
        "<details open id=t><summary>S</summary><div style='display:contents'>Text</div></details>",
        "t.open = false",
    ),
    "contents without a box": (
        "<style>.x #t{display:none}</style><div id=t><div style='display:contents'><a href=x>Link</a></div></div>",
        "document.body.className = 'x'",
    ),
    "an animation": ("<p id=t>Text</p>", "t.animate({opacity: [0, 0]}, {duration: 1e6, fill: 'forwards'})"),
    "the focus in what is hidden": ("<div aria-hidden=true><button id=t>Button</button></div>", "t.focus()"),
    "the focus": ("<p><a id=t href=x>Some link</a></p>", "t.focus()"),
    "something disabled around": (
        "<div id=t><p><a href=x>Some link</a></p></div>",
        "t.ariaDisabled = 'true'",
    ),
    "an owner": (
        "<div id=o role=group></div><p id=t><a href=x>Link</a></p>",
        "o.setAttribute('aria-owns', 't')",
    ),
    "an element with another base": (
        "<p><a href=rel>http.example.com</a></p>",
        "document.head.innerHTML = '<base href=http://other.invalid/>'",
    ),
    "something inert around": (
        "<main><p>One</p><a href=x>Link</a></main>",
        "document.querySelector('main').inert = true",
    ),
    "a dialog": ("<p>One</p><dialog id=t><button>In</button></dialog>", "t.showModal()"),
    "a popover": ("<p>One</p><div popover id=t><button>In</button></div>", "t.showPopover()"),
    "an image with a map": (
        "<img usemap=#m id=t alt=Map src='data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'><map name=m id=m></map>",
        "m.innerHTML = '<area href=a alt=Area shape=rect coords=0,0,5,5>'",
    ),
    "a custom element that is defined": (
        "<x-late>Text</x-late>",
        "customElements.define('x-late', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<a href=x>In</a>' } })",
    ),
    "what stood in something hidden": (
        "<div id=r role=list><div id=h><div><div role=listitem>One</div></div></div></div>",
        "h.hidden = true; r.removeAttribute('role'); await __see(); h.hidden = false",
    ),
    "what stood empty in something hidden": (
        "<div id=r><section id=h aria-label=S><div><div role=listitem></div></div></section></div>",
        "h.hidden = true; r.setAttribute('role', 'list'); await __see(); h.hidden = false",
    ),
    "a text of something hidden": (
        "<div id=h><div><p id=t>One</p></div></div>",
        "h.hidden = true; await __see(); t.textContent = 'Two'; await __see(); h.hidden = false",
    ),
}
"""What changes: a page and a script; `__see()` lets a snapshot be taken in between."""


@pytest.fixture
def tab(lasting_tab):
    return lasting_tab


async def compare(tab):
    engine = engine_of(tab)
    reply = await engine.frames.run(engine.frames.main, COMPARE.replace("MODES", json.dumps(MODES)))
    assert "exceptionDetails" not in reply, reply
    return reply["result"]["value"]


async def lines_of(tab):
    return [
        (await tab.snapshot(mode=mode, budget=None, fold=False)).lines for mode in ("full", "interactive")
    ]


@pytest.mark.parametrize("change", CHANGES)
async def test_a_change_shows_as_in_a_whole_look(tab, site, change):
    body, script = CHANGES[change]
    await tab.goto(site.page(body + FILLER))
    before = await lines_of(tab)
    assert (await compare(tab))["reused"]
    for part in script.split("await __see();"):
        await tab.evaluate(f"async () => {{ {part} }}")
        told = await compare(tab)
        assert told["wrong"] is None, told["wrong"]
    assert await lines_of(tab) != before  # the change can be seen at all
    assert (await compare(tab))["wrong"] is None


async def test_what_has_not_changed_is_not_looked_at_again(tab, site):
    await tab.goto(site.page(f"<main>{FILLER}</main><p id=t>Text</p>"))
    await lines_of(tab)
    await tab.evaluate("t.textContent = 'Other'")
    told = await compare(tab)
    assert told["reused"] >= 20


async def test_listeners_that_come_are_shown(tab, site):
    await tab.goto(site.page(f"<main><div id=t>Plain words</div>{FILLER}</main>"))
    assert "clickable" not in str(await tab.snapshot(budget=None))
    await tab.evaluate(
        "document.querySelector('p').onclick = () => {}; t.addEventListener('click', () => {})"
    )
    assert 'generic "Plain words" @e' in str(await tab.snapshot(budget=None))
    assert (await compare(tab))["wrong"] is None


async def test_a_listener_that_only_repeated_its_control_is_shown_once_it_differs(tab, site):
    await tab.goto(
        site.page(
            f"<button id=t><span id=s>Words</span></button>{FILLER}<script>s.onclick = () => {{}}</script>"
        )
    )
    assert "generic" not in str(await tab.snapshot(budget=None))
    await tab.evaluate("t.ariaLabel = 'Other'")
    assert 'generic "Words" @e' in str(await tab.snapshot(budget=None))
    assert (await compare(tab))["wrong"] is None


async def test_a_text_in_a_closed_shadow_root_that_stands_for_another_is_current(tab, site):
    script = "customElements.define('x-b', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<button><slot></slot></button>' } })"
    await tab.goto(site.page(f"<x-b><b id=t>One</b></x-b>{FILLER}<script>{script}</script>"))
    assert 'button "One"' in str(await tab.snapshot())
    await tab.evaluate("t.textContent = 'Two'")
    assert 'button "Two"' in str(await tab.snapshot())


async def test_a_closed_shadow_root_that_comes_late_is_found(tab, site):
    await tab.goto(site.page(f"<section><div id=h></div></section>{FILLER}"))
    await lines_of(tab)
    await tab.evaluate("h.attachShadow({mode: 'closed'}).innerHTML = '<button>Late</button>'")
    assert 'button "Late"' in str(await tab.snapshot())


async def test_counters_are_current(tab, site):
    style = "<style>li{list-style:none;counter-increment:c} li::before{content:counter(c) '. '}</style>"
    await tab.goto(site.page(f"{style}<ol id=l><li>One<li>Two</ol>{FILLER}"))
    assert "2. Two" in str(await tab.snapshot(mode="full"))
    await tab.evaluate("l.firstChild.remove()")
    text = str(await tab.snapshot(mode="full"))
    assert "1. Two" in text
    assert "2." not in text


async def test_a_page_that_changes_all_the_time_is_walked_as_a_whole(tab, site):
    await tab.goto(site.page(f"<main id=m>{FILLER}</main>"))
    await lines_of(tab)
    await tab.evaluate("for (let n = 0; n < 5000; n++) m.append(document.createElement('i'))")
    told = await compare(tab)
    assert told["wrong"] is None
    # Kept again from here on: the walk in between found a quiet page.
    assert (await compare(tab))["reused"]


async def test_random_changes_show_as_in_whole_looks(browser):
    score = await stress(at_most(90, 3_000), seed=20261119, browser=browser)
    assert score.differences == []
    assert score.reused > score.nodes * 0.3


async def test_what_is_gone_from_the_page_is_not_held(tab, site):
    script = "globalThis.gone = []; globalThis.turn = () => { const el = document.createElement('section'); el.innerHTML = '<div hidden>Off</div><div>On</div>'; m.replaceChildren(el); gone.push(new WeakRef(el)); }"
    await tab.goto(site.page(f"<main id=m></main>{FILLER}<script>{script}</script>"))
    for _ in range(20):
        await tab.evaluate("turn()")
        await tab.snapshot(mode="full")
    await engine_of(tab).session.send("HeapProfiler.collectGarbage")
    held = await tab.evaluate("gone.filter(one => one.deref()).length")
    assert 1 <= held <= 9  # the last one, and those since the last sweep
