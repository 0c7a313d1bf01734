"""What an action reports: everything visible that changed, nothing that did not, and what is still to come."""

import json

import pytest

from boathook.presentation.tokens import estimate_tokens
from tests.support.thorough import at_most
from tools.stress_changes import stress

NOTHING = "nothing else changed"


async def report_of(tab, site, body, target="#b", **page):
    """Load a page, click, and give the lines after the first."""
    await tab.goto(site.page(body, **page))
    return str(await tab.click(target)).split("\n", 1)[1]


VISIBLE = {
    "a number that also stands in a ref": (
        "<p>Items: <span id=n>1</span></p><button id=b onclick='n.textContent=+n.textContent+1'>Add</button>",
        '~ text "Items: 2"',
    ),
    "text that a snapshot line contains": (
        "<button>Save as draft</button><p id=p>-</p><button id=b onclick=\"p.textContent='draft'\">Go</button>",
        '~ text "draft"',
    ),
    "text shown by a class of an element around it": (
        "<style>.off p{display:none}</style><div id=d class=off><p>Now seen</p></div><button id=b onclick=\"d.className=''\">Go</button>",
        '+ text "Now seen"',
    ),
    "text hidden by a style": (
        "<p id=p>Was seen</p><button id=b onclick=\"p.style.visibility='hidden'\">Go</button>",
        '- text "Was seen"',
    ),
    "text shown by a rule alone": (
        "<style>#c:not(:checked)+p{display:none}</style><input type=checkbox id=c aria-hidden=true><p>By rule</p><button id=b onclick='c.checked=true'>Go</button>",
        '+ text "By rule"',
    ),
    "text hidden by a new rule of a style sheet": (
        "<style></style><p class=x>Ruled out</p><button id=b onclick=\"document.styleSheets[0].insertRule('.x{display:none}')\">Go</button>",
        '- text "Ruled out"',
    ),
    "text that screen readers are not told": (
        "<p aria-hidden=true id=p>3 left</p><button id=b onclick=\"p.textContent='2 left'\">Go</button>",
        '~ text "2 left"',
    ),
    "text in a shadow root": (
        "<div id=h></div><script>const r=h.attachShadow({mode:'open'});r.innerHTML='<p>old</p>'</script><button id=b onclick=\"r.firstChild.textContent='new'\">Go</button>",
        '~ text "new"',
    ),
    "text in a frame": (
        "<iframe id=f srcdoc='<p>old</p>'></iframe><button id=b onclick=\"f.contentDocument.querySelector('p').textContent='new'\">Go</button>",
        '~ text "new"',
    ),
    "an item that moved": (
        "<ul id=u><li>One<li>Two<li>Three</ul><button id=b onclick='u.append(u.firstElementChild)'>Go</button>",
        'moved: "One" after "Three"',
    ),
    "a field that moved": (
        "<main id=m><input aria-label=A><input aria-label=B></main><button id=b onclick='m.append(m.firstElementChild)'>Go</button>",
        'moved: textbox "',
    ),
    "a state that snapshots do not show": (
        "<table><caption>Sums</caption><tr><th id=t aria-sort=ascending>Sum<th>Tax<tr><td>1<td>2</table><button id=b onclick=\"t.ariaSort='descending'\">Go</button>",
        'columnheader "Sum"',
    ),
    "the end of a long value": (
        "<textarea id=t aria-label=Notes></textarea><script>t.value='x '.repeat(200)</script><button id=b onclick=\"t.value+='tail'\">Go</button>",
        "tail",
    ),
    "another password": (
        "<input type=password id=t aria-label=Secret value=hush123><button id=b onclick=\"t.value='other45'\">Go</button>",
        'textbox "Secret"',
    ),
    "one more selected option": (
        "<select multiple id=s aria-label=Extras><option selected>Bag<option id=o>Card</select><button id=b onclick='o.selected=true'>Go</button>",
        '"Bag, Card"',
    ),
    "an image": (
        "<button id=b onclick=\"const i=new Image(9,9);i.alt='Boat';document.body.append(i)\">Go</button>",
        '+ img "Boat"',
    ),
    "the title alone": (
        "<button id=b onclick=\"document.title='Two new'\">Go</button>",
        'title is now "Two new"',
    ),
    "text that comes with the next frame": (
        "<p id=p></p><button id=b onclick=\"requestAnimationFrame(()=>p.textContent='framed')\">Go</button>",
        '+ text "framed"',
    ),
    "the part of a long text that differs": (
        "<p>"
        + "word " * 80
        + "<b id=n>one</b></p><button id=b onclick=\"n.textContent='other'\">Go</button>",
        "other",
    ),
}


@pytest.mark.parametrize("name", VISIBLE)
async def test_a_visible_change_is_reported(lasting_tab, site, name):
    body, expected = VISIBLE[name]
    report = await report_of(lasting_tab, site, body)
    assert expected in report
    assert NOTHING not in report


async def test_text_that_changes_in_a_frame_of_another_site_is_reported(tab, site):
    inner = site.page("<p id=p>old words</p><script>onmessage=()=>p.textContent='new words'</script>")
    frame = f"<iframe id=f src='{inner.replace(site.origin, site.other_origin)}'></iframe>"
    report = await report_of(
        tab, site, f"{frame}<button id=b onclick=\"f.contentWindow.postMessage(1,'*')\">Go</button>"
    )
    assert report == '~ text "new words"'


async def test_a_click_in_a_frame_of_another_site_reports_what_it_changed_around_it(tab, site):
    inner = site.page("<button onclick=\"parent.postMessage(1,'*')\">Inner</button>")
    frame = f"<iframe src='{inner.replace(site.origin, site.other_origin)}'></iframe>"
    report = await report_of(
        tab,
        site,
        f"<p id=p>old words</p>{frame}<script>onmessage=()=>p.textContent='new words'</script>",
        "text=Inner",
    )
    assert report == '~ text "new words"'


async def test_a_password_that_changed_is_not_shown(tab, site):
    report = await report_of(tab, site, VISIBLE["another password"][0])
    assert "other45" not in report
    assert "hush123" not in report


INVISIBLE = {
    "nothing": "",
    "a data attribute": "document.body.dataset.x = 1",
    "a class without a rule": "p.className = 'x'",
    "text of a hidden element": "h.textContent = 'other'",
    "a comment": "p.append(document.createComment('note'))",
    "the same text again": "p.textContent = 'Words'",
    "text nodes cut in two": "p.firstChild.splitText(2)",
    "only the focus": "i.focus()",
    "blanks": "p.append(' ')",
}


@pytest.mark.parametrize("name", INVISIBLE)
async def test_a_page_that_changes_nothing_visible_says_so(lasting_tab, site, name):
    body = f'<p id=p>Words</p><p id=h hidden>Hidden</p><input id=i aria-label=I><button id=b onclick="{INVISIBLE[name]}">Go</button>'
    assert await report_of(lasting_tab, site, body) == NOTHING


async def test_content_that_is_drawn_again_is_no_change_but_its_refs_are_told(tab, site):
    body = "<div id=d><button>Take</button></div><button id=b onclick='d.innerHTML=d.innerHTML'>Go</button>"
    report = await report_of(tab, site, body)
    assert report.startswith('new refs: button "Take" @e')
    assert "\n" not in report


async def test_a_removed_item_is_named_by_its_text(tab, site):
    item = "<li id={0}><span>Buy {0}</span><button>Edit</button><button onclick='{0}.remove()'>Remove {0}</button></li>"
    body = f"<ul>{item.format('milk')}{item.format('bread')}</ul>"
    report = await report_of(tab, site, body, "text=Remove milk")
    assert '- listitem "Buy milk"' in report
    assert "bread" not in report


async def test_a_short_rest_is_not_cut_and_a_long_one_is_counted(tab, site):
    async def rows(count):
        made = (
            f"for(let i=0;i<{count};i++)u.innerHTML+='<li>Line number '+i+' has some words of its own</li>'"
        )
        return await report_of(tab, site, f'<ul id=u></ul><button id=b onclick="{made}">Go</button>')

    assert "more lines" not in await rows(20)
    for count in range(20, 45):
        report = await rows(count)
        told = sum(line.startswith("+ text") for line in report.split("\n"))
        if told < count:
            assert count - told > 3
            assert f"… {count - told} more changed lines" in report
            assert 300 < estimate_tokens(report) < 440
            break
    else:
        pytest.fail("no report was cut")


async def test_a_request_without_a_response_is_reported_as_pending(tab, site):
    url = site.url("never")
    report = await report_of(
        tab, site, f"<button id=b onclick=\"fetch('{url}?token=s3cret', {{method:'POST'}})\">Save</button>"
    )
    assert "pending: POST /never, no response yet" in report
    assert "so far" in report
    assert "s3cret" not in report


async def test_a_navigation_without_a_response_is_reported_as_pending(tab, site):
    await tab.goto(
        site.page(f"<form method=post action='{site.url('never')}'><button id=b>Send</button></form>")
    )
    report = str(await tab.click("#b", timeout=4))
    assert "pending: navigation POST /never, no response yet" in report
    await tab.goto("about:blank")  # closing a tab that is still waiting for the server takes many seconds


FORM = "<form action=/nothing><label>Email <input type=email required id=e></label><button id=b>Send</button></form>"


async def test_a_submit_that_validation_stopped_names_field_and_message(tab, site):
    report = await report_of(tab, site, FORM)
    assert 'not submitted: textbox "Email" @e' in report
    assert "Please fill out this field" in report
    await tab.fill("#e", "no-address")
    assert "include an '@'" in str(await tab.click("#b"))
    await tab.fill("#e", "ada@example.org")
    assert "not submitted" not in str(await tab.click("#b"))


async def test_asking_whether_a_form_is_valid_stops_no_submit(tab, site):
    body = "<form id=f><input required aria-label=E></form><button id=b onclick='f.checkValidity()'>Check</button>"
    assert await report_of(tab, site, body) == NOTHING


async def test_a_drag_without_effect_says_so_and_one_with_effect_says_how_far(tab, site):
    await tab.goto(site.page("<div id=still style='width:80px;height:80px;background:red'></div>"))
    assert "no effect" in str(await tab.drag("#still", offset=(100, 40)))
    move = "m.onpointerdown=()=>{onpointermove=e=>{m.style.left=(e.clientX-40)+'px';m.style.top=(e.clientY-40)+'px'}};onpointerup=()=>onpointermove=null"
    await tab.goto(
        site.page(
            f"<div id=m style='position:absolute;left:0;top:0;width:80px;height:80px;background:red'></div><script>{move}</script>"
        )
    )
    assert "moved by 100,40" in str(await tab.drag("#m", offset=(100, 40)))


CONFIRM = "<button id=b onclick=\"p.textContent = confirm('Sure?') ? 'Deleted' : 'Kept'\">Delete</button><p id=p>-</p>"


@pytest.mark.parametrize(("accept", "text"), [(True, "Deleted"), (False, "Kept")])
async def test_an_answered_dialog_reports_what_changed_after_it(tab, site, accept, text):
    assert "confirm dialog is open" in await report_of(tab, site, CONFIRM)
    answered = await tab.answer_dialog(accept=accept)
    assert answered.answer == ("accepted" if accept else "dismissed")
    assert [change.now for change in answered.changes.texts] == [text]


@pytest.mark.shared_daemon
def test_dialog_commands_print_what_changed(program, site):
    program("open", site.page(CONFIRM))
    program("click", "#b")
    assert program("dialog", "accept").stdout.splitlines() == [
        'confirm "Sure?" answered: accepted',
        '~ text "Deleted"',
    ]
    program("click", "#b")
    data = json.loads(program("--json", "dialog", "dismiss").stdout)
    assert data["change"]["kind"] == "mutation"
    program("eval", "setTimeout(() => confirm('Late?'))")
    assert "nothing else changed" in program("dialog", "dismiss").stdout


@pytest.mark.shared_daemon
def test_the_kind_of_change_is_none_when_only_the_focus_moved(program, site):
    program("open", site.page("<input id=i value=x aria-label=I><input id=j aria-label=J>"))
    kinds = [
        json.loads(program("--json", *line).stdout)["change"]["kind"]
        for line in (("focus", "#i"), ("click", "#j"), ("hover", "#i"), ("fill", "#j", "new"))
    ]
    assert kinds == ["none", "none", "none", "mutation"]


LISTBOX = """<div id=c role=combobox tabindex=0 aria-expanded=false aria-controls=l aria-label=Mood>calm</div>
<ul id=l role=listbox hidden><li role=option aria-selected=true>calm</li><li role=option aria-selected=false>loud</li></ul><script>
c.onclick = () => { l.hidden = false };
for (const o of l.children) o.onclick = () => setTimeout(() => {
  for (const other of l.children) other.ariaSelected = String(other === o);
  c.textContent = o.textContent; l.hidden = true;
}, 150);</script>"""


async def test_a_choice_is_read_back_after_the_page_has_taken_it(tab, site):
    await tab.goto(site.page(LISTBOX))
    assert (await tab.select("#c", "loud")).value == ["loud"]


async def test_a_select_that_the_page_sets_back_reports_what_it_shows(tab, site):
    await tab.goto(
        site.page(
            '<select id=s aria-label=S onchange="setTimeout(()=>s.selectedIndex=0)"><option>Choose<option>One</select>'
        )
    )
    assert (await tab.select("#s", "One")).value == ["Choose"]


TAGS = """<div id=tags></div><input id=c role=combobox readonly aria-owns=l aria-controls=l aria-label=Colours>
<div id=l role=listbox style='width:0;height:0;overflow:hidden'></div>
<div id=shown><button>red</button><button>green</button><button>blue</button></div><script>
const names = ['red', 'green', 'blue'], chosen = new Set();
const near = (at) => { l.innerHTML = [at - 1, at, at + 1].filter((i) => names[i]).map((i) => `<div role=option aria-selected=${chosen.has(i)}>${names[i]}</div>`).join('') };
near(0);
[...shown.children].forEach((button, i) => { button.onclick = () => {
  chosen.add(i); near(i);
  tags.insertAdjacentHTML('beforeend', `<span title=${names[i]}>${names[i]} <i aria-hidden=true>×</i></span>`);
} });</script>"""
"""As Ant Design does it: what is chosen stands in tags, and screen readers get a list without size of options near by."""


async def test_a_second_choice_does_not_report_that_the_first_is_gone(tab, site):
    await tab.goto(site.page(TAGS))
    await tab.click("role=button[name=red]")
    report = str(await tab.click("role=button[name=blue]"))
    assert "blue ×" in report
    assert not any(line.startswith("-") for line in report.split("\n"))


async def test_text_for_screen_readers_alone_is_reported_when_nothing_else_changed(tab, site):
    body = "<p id=p style='position:absolute;left:-9999px'></p><button id=b onclick=\"p.textContent='Added to cart'\">Add</button>"
    assert await report_of(tab, site, body) == '+ text "Added to cart"'


@pytest.mark.timeout(180)
async def test_random_mutations_are_reported_truthfully_on_every_layout(browser):
    mutations = at_most(30, 300)
    score = await stress(mutations, seed=2027, browser=browser)
    assert [
        (wrong.layout, wrong.kind, wrong.seed, wrong.wrong, wrong.report) for wrong in score.wrong()
    ] == []
    assert len({verdict.layout for verdict in score.verdicts}) == 30
    # Controls: many of the mutations were visible, and some were not.
    changed = sum(1 for verdict in score.verdicts if verdict.changed)
    assert 0.4 * mutations < changed < 0.97 * mutations


async def test_a_change_by_a_short_timer_is_reported(tab, site):
    body = "<p id=p>before</p><button id=b onclick=\"setTimeout(() => { p.textContent = 'after' }, 20)\">Go</button>"
    assert await report_of(tab, site, body) == '~ text "after"'


BY_OTHERS = {
    "a worker": "w.postMessage(1)",
    "a blob": "new Blob(['x'.repeat(1e6)]).text().then(show)",
}


@pytest.mark.parametrize("by", BY_OTHERS)
async def test_a_change_that_the_browser_causes_a_moment_later_is_reported(tab, site, by):
    work = "onmessage=()=>{const end=Date.now()+30;while(Date.now()<end);postMessage(1)}"
    script = f"const show=()=>{{p.textContent='after'}};const w=new Worker(URL.createObjectURL(new Blob([{json.dumps(work)}])));w.onmessage=show"
    body = f'<p id=p>before</p><button id=b onclick="{BY_OTHERS[by]}">Go</button><script>{script}</script>'
    assert await report_of(tab, site, body) == '~ text "after"'


SUGGESTIONS = """<input aria-label=City {kind} oninput="clearTimeout(self.t);self.t=setTimeout(() => {{
    l.innerHTML = '<li role=option>Berlin<li role=option>Bern' }}, 300)"><ul role=listbox id=l></ul>"""


@pytest.mark.parametrize("verb", ["type", "fill"])
@pytest.mark.parametrize("kind", ["role=combobox", "autocomplete=off"])
async def test_suggestions_that_come_after_a_pause_in_typing_are_reported(tab, site, kind, verb):
    await tab.goto(site.page(SUGGESTIONS.format(kind=kind)))
    assert '+ option "Berlin"' in str(await getattr(tab, verb)("label=City", "ber"))


async def test_an_action_that_leaves_a_secret_field_as_it_was_is_no_change(tab, site):
    await tab.goto(site.page("<label>Secret <input id=b type=password value=hunter-three></label>"))
    assert not (await tab.hover("#b")).changes.value_changed
    assert (await tab.type("#b", "x")).changes.value_changed, "the control: typing changes it"


FADING = """<style>.fade { opacity: 0; visibility: hidden; transition: opacity .3s, visibility .3s } .fade.show { opacity: 1; visibility: visible }</style>
<button id=b onclick="d.classList.toggle('show')">Open</button><div id=d class=fade><p>Are you sure?</p><button>Yes</button></div>"""


async def test_what_fades_in_is_reported_as_it_ends_up(tab, site):
    report = await report_of(tab, site, FADING)
    assert '+ text "Are you sure?"' in report
    assert "hidden-looking" not in report
    again = str(await tab.click("#b"))
    assert '- text "Are you sure?"' in again


async def test_what_is_removed_after_a_transition_is_reported(tab, site):
    body = """<style>p { transition: opacity .2s }</style><p id=p>Dismiss me</p>
    <button id=b onclick="p.style.opacity = 0; p.ontransitionend = () => p.remove()">Close</button>"""
    assert await report_of(tab, site, body) == '- text "Dismiss me"'


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("this.setAttribute('aria-invalid', 'true')", "invalid"),
        ("this.readOnly = true", "readonly"),
        ("this.disabled = true", "disabled"),
    ],
)
async def test_a_state_that_a_field_gets_when_it_is_filled_is_reported(tab, site, does, told):
    await tab.goto(site.page(f'<label>Number <input id=n oninput="{does}"></label>'))
    report = str(await tab.fill("#n", "5"))
    assert "nothing else changed" not in report
    assert told in report


async def test_a_block_between_inline_elements_does_not_report_their_text(tab, site):
    body = "<button id=b onclick='x.hidden = false'>A</button><div id=x hidden>New block</div><button>B</button><button>C</button>"
    assert await report_of(tab, site, body) == '+ text "New block"'


BETWEEN = {
    "text": ("p.textContent='Between'", "Between"),
    "a value": ("i.value='Between'", "Between"),
    "a state": ("c.checked=true", "checkbox"),
    "an attribute": ("p.setAttribute('aria-label','Between');p.setAttribute('role','img')", "Between"),
    "an element": (
        "document.body.append(Object.assign(document.createElement('button'),{textContent:'Between'}))",
        "Between",
    ),
    "text that a rule shows": (
        "document.styleSheets[0].insertRule('p.hid{display:block!important}',1)",
        "Between",
    ),
    "a shadow root": ("h.attachShadow({mode:'open'}).innerHTML='<button>Between</button>'", "Between"),
    "text in a frame": ("f.contentDocument.body.append('Between')", "Between"),
    "an image": ("m.hidden=false", "Between"),
}


@pytest.mark.parametrize("name", BETWEEN)
async def test_what_changes_between_two_actions_is_not_reported_by_the_second(lasting_tab, site, name):
    """The view after an action is used again before the next one, if nothing has changed."""
    does, told = BETWEEN[name]
    body = (
        "<style>.hid{display:none}</style><p id=n>0</p><p id=p>-</p><p class=hid>Between</p><input id=i aria-label=F>"
        "<input type=checkbox id=c aria-label=C><div id=h></div><iframe id=f srcdoc=x></iframe>"
        "<img id=m hidden alt=Between width=20 height=20 src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>"
        f'<button id=b onclick="n.textContent=+n.textContent+1">Go</button><button id=d onclick="{does}">Do</button>'
    )
    tab = lasting_tab
    await tab.goto(site.page(body))
    assert told in str(await tab.click("#d")).split("\n", 1)[1], (
        "the control: an action that does it reports it"
    )
    await tab.goto(site.page(body))
    first = str(await tab.click("#b"))
    await tab.evaluate(f"void (() => {{ {does} }})()")
    second = str(await tab.click("#b"))
    assert ('"1"' in first, '"2"' in second) == (True, True)
    assert told not in second


async def test_actions_one_after_the_other_report_each_its_own_change(lasting_tab, site):
    tab = lasting_tab
    await tab.goto(
        site.page(
            "<p id=n>0</p><label>Name <input id=i></label><button id=b onclick='n.textContent=+n.textContent+1'>Go</button>"
            "<button id=x onclick='this.remove()'>Away</button>"
        )
    )
    for count in range(1, 4):
        assert f'"{count}"' in str(await tab.click("#b"))
        assert NOTHING in str(await tab.fill("#i", f"v{count}"))
    assert '- button "Away"' in str(await tab.click("#x"))
    assert '"4"' in (report := str(await tab.click("#b")))
    assert "Away" not in report
