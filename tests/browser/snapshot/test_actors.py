"""What acts has a ref, also without a role or a cursor; and what only hands events on does not make all in it act."""

import pytest

from tests.support.engine import engine_of
from tests.support.npm import served_packages
from tests.support.program import Program

LISTENERS = """<title>t</title><p id=para>Show details</p><a id=prev title=Prev>&lt;</a><table><tr><th>Name<th id=head>Age<tr><td>Ann<td>4<tr><td>Bob<td>5<tr><td id=blank><td></table>
<svg width=50 height=50><text id=words y=20>Legend</text></svg><p id=quiet>Nothing here</p><script>
  for (const el of [para, prev, head, words, blank]) el.addEventListener('click', () => {});
</script>"""
LIST = """<ul id=list><li>Alpha</li><li>Beta <b>bold</b></li></ul><script>
  list.addEventListener('click', event => { if (event.target.tagName === 'LI') chosen = event.target.textContent });
</script>"""
BOARD = """<div id=board><p>Rules</p><div></div><div class=tile style="width:9px;height:9px"></div><div><b>Score</b></div></div><script>
  board.addEventListener('click', event => { if (event.target.closest('.tile')) done = 1 });
</script>"""
ROWS = """<style>.row, .icon { cursor: pointer } .icon { display: inline-block; width: 16px; height: 16px }</style><div class=row><b>Ann</b> Lunch
<span class="icon trash"></span><span class="icon reply"></span></div><script>
  done = []; const row = document.querySelector('.row'); row.onclick = () => done.push('open');
  for (const icon of document.querySelectorAll('.icon')) icon.addEventListener('click', () => done.push(icon.className));
</script>"""
JQUERY = """<script src=/nm/jquery/dist/jquery.js></script><ul id=list><li>Milk <i class=remove></i><li>Eggs <i class=remove></i></ul>
<script>$('#list').on('click', '.remove', event => $(event.target).parent().remove())</script>"""
REACT = """<script src=/nm/react/umd/react.production.min.js></script>
<script src=/nm/react-dom/umd/react-dom.production.min.js></script><div id=root></div><script>
  count = 0; const h = React.createElement;
  ReactDOM.createRoot(root).render(h('div', null, h('div', { className: 'plus', onClick: () => count++ }), h('p', null, 'Idle')));
</script>"""
WRAPPER = """<div id=wrapper><button>Save</button></div><button id=icon><span id=inner>Close</span></button><script>
  for (const el of [wrapper, inner]) el.addEventListener('click', () => {});
</script>"""
LISTENED_LATER = "<p id=para>Later</p>"
HANDLER = """<p id=para>Show details</p><p id=other>Other</p><script>
  const handler = () => {}; for (const el of [para, other]) el.addEventListener('click', handler);
</script>"""
COUNTED = """<main id=first><i id=last>Last</i></main><script>
  for (let i = 0; i < 400; i++) first.append(document.createElement('b'));
  first.firstChild.addEventListener('click', () => {}); asked = 0; const original = Object.getOwnPropertyNames;
  Object.getOwnPropertyNames = (what) => { if (!(what instanceof Node)) asked++; return original(what) };
</script>"""
GETTER = """<p id=para>Act</p><script>
  para.addEventListener('click', () => {}); called = 0;
  Object.defineProperty(para, '__reactProps$x', { get() { called++; return {} } });
</script>"""
ENDLESS = """<p>Text</p><button id=save>Save</button><script>
  save.addEventListener('click', () => {});
  save.jQuery123456789012 = new Proxy({}, { getOwnPropertyDescriptor() { for (;;); } });
</script>"""


async def _lines(tab, site, page):
    await tab.goto(site.page(page))
    return (await tab.snapshot()).text.splitlines()[1:]


async def test_what_listens_without_a_cursor_has_a_ref(tab, site):
    lines = "\n".join(await _lines(tab, site, LISTENERS))
    for words in ('"Show details" @', '~"Prev <" @', 'columnheader "Age" @', 'cell ~"blank" @', '"Legend" @'):
        assert words in lines
    assert '"Nothing here" @' not in lines


async def test_the_items_of_a_list_that_handles_their_clicks_have_refs_and_what_is_in_them_has_not(tab, site):
    lines = await _lines(tab, site, LIST)
    assert [line.strip().split(" @")[0] for line in lines if "@" in line] == [
        'listitem "Alpha"',
        'listitem "Beta bold"',
    ]
    await tab.click("text=Alpha")
    assert await tab.evaluate("chosen") == "Alpha"


DAYS = """<style>.day { cursor: pointer }</style><div id=days></div><script>
days.innerHTML = Array.from({ length: 30 }, (_, at) => `<div class=day><b>${at + 1}</b></div>`).join('');
days.addEventListener('click', event => { chosen = event.target.closest('.day').textContent });</script>"""


async def test_each_day_with_a_pointer_in_a_calendar_that_handles_the_clicks_has_a_ref(tab, site):
    lines = await _lines(tab, site, DAYS)
    assert [line.split(" @")[0] for line in lines if "@" in line] == [f'generic "{n}"' for n in range(1, 31)]


async def test_what_a_delegating_handler_compares_the_target_with_has_a_ref(tab, site):
    lines = await _lines(tab, site, BOARD)
    assert [line.strip().split(" @")[0] for line in lines if "@" in line] == ['generic ~"tile"']


async def test_each_icon_in_a_clickable_row_has_a_ref_and_a_word(tab, site):
    lines = await _lines(tab, site, ROWS)
    assert [line.split(" @")[0] for line in lines] == [
        'generic "Ann Lunch"',
        '  generic ~"trash"',
        '  generic ~"reply"',
    ]
    await tab.click("@" + lines[2].split("@")[1].split()[0])
    assert (await tab.evaluate("done[0]")) == "icon reply"


@pytest.mark.parametrize(("page", "words"), [(JQUERY, '~"remove'), (REACT, '~"plus"')])
async def test_what_a_framework_handles_at_its_root_has_a_ref(tab, site, monkeypatch, page, words):
    served_packages(site, monkeypatch)(
        "jquery@3", "react@18", "react-dom@18", there=["jquery/dist/jquery.js", "react/umd", "react-dom/umd"]
    )
    lines = "\n".join(await _lines(tab, site, page))
    assert words in lines
    assert '"Idle" @' not in lines


async def test_a_wrapper_that_listens_adds_no_line_to_the_control_in_it(tab, site):
    lines = await _lines(tab, site, WRAPPER)
    assert [line.split(" @")[0] for line in lines] == ['button "Save"', 'button "Close"']


async def test_a_listener_that_is_added_later_is_seen_by_the_next_snapshot(tab, site):
    assert all("@" not in line for line in await _lines(tab, site, LISTENED_LATER))
    await tab.evaluate("para.addEventListener('click', () => {}), 0")
    assert '"Later" @' in (await tab.snapshot()).text


async def test_a_listener_that_is_added_beside_others_is_seen_by_the_next_snapshot(tab, site):
    lines = await _lines(tab, site, LISTENERS)
    assert all("Nothing here" not in line for line in lines)
    await tab.snapshot()
    await tab.evaluate("quiet.addEventListener('click', () => {}), 0")
    assert '"Nothing here" @' in (await tab.snapshot()).text


async def test_a_listener_that_is_removed_is_forgotten_after_a_few_snapshots(tab, site):
    assert '"Show details" @' in "\n".join(await _lines(tab, site, HANDLER))
    await tab.evaluate("para.removeEventListener('click', handler), 0")
    texts = [(await tab.snapshot()).text for _ in range(8)]
    assert '"Show details" @' not in texts[-1]
    assert all('"Other" @' in text for text in texts)


async def test_what_is_put_into_a_list_that_handles_its_clicks_has_a_ref(tab, site):
    await _lines(tab, site, LIST)
    await tab.evaluate("list.insertAdjacentHTML('afterbegin', '<li>Gamma</li>')")
    assert 'listitem "Gamma" @' in (await tab.snapshot()).text


async def test_elements_that_have_been_asked_who_listens_are_asked_again_in_turns(tab, site):
    await tab.goto(site.page(COUNTED))
    counts = []
    for script in ("0", "0", "last.addEventListener('click', () => {}), 0"):
        await tab.evaluate(script)
        await tab.evaluate("asked = 0")
        await tab.snapshot()
        counts.append(await tab.evaluate("asked"))
    assert counts[1] < 0.4 * counts[0]
    assert counts[2] > 0.9 * counts[0]


async def test_asking_who_listens_calls_no_getter_of_the_page(tab, site):
    assert '"Act" @' in "\n".join(await _lines(tab, site, GETTER))
    assert await tab.evaluate("called") == 0
    assert await tab.evaluate("para.__reactProps$x && called") == 1


async def test_a_page_that_traps_the_question_who_listens_is_read_without_the_answer(tab, site):
    assert 'button "Save" @' in "\n".join(await _lines(tab, site, ENDLESS))
    assert await tab.evaluate("typeof save.jQuery123456789012") == "object"


async def test_under_stealth_nothing_is_asked_in_the_world_of_the_page(browser_with, site):
    browser = await browser_with(stealth="full")
    tab = await browser.open(site.page(LISTENERS))
    assert '"Show details" @' not in (await tab.snapshot()).text
    assert not engine_of(tab).console.unasked


@pytest.fixture
def program(tmp_path):
    calling = Program(tmp_path)
    yield calling
    calling.stop()


def test_documents_one_after_another_keep_their_worlds_apart(program, site):
    for _ in range(4):
        assert program("open", site.page(LISTENERS)).returncode == 0
        assert program("eval", "para.textContent").stdout.strip() == '"Show details"'
        assert '"Show details" @' in program("snapshot").stdout
