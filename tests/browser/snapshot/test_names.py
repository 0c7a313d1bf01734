"""Names and roles in snapshots: drawings, internals of custom elements, counters, inert text, lists drawn by the page."""

import json
import re

import pytest

from tests.support.engine import engine_of

INTERNALS = """<agree-box>✓</agree-box><plain-box>plain</plain-box><script>
customElements.define('agree-box', class extends HTMLElement {
  constructor() {
    super();
    this.inner = this.attachInternals();
    this.inner.role = 'checkbox';
    this.inner.ariaLabel = 'Agree';
    this.inner.ariaChecked = 'false';
    this.onclick = () => { this.inner.ariaChecked = 'true'; };
  }
});
customElements.define('plain-box', class extends HTMLElement {});
</script>"""

RICH_SELECT = """<style>select, select::picker(select) { appearance: base-select }</style>
<label>Pet <select><button><selectedcontent></selectedcontent></button>
<option value=c><img alt='' src='data:,'><span>Cat</span><small>sleeps</small></option>
<option value=d><img alt='' src='data:,'><span>Dog</span><small>barks</small></option></select></label>"""


@pytest.fixture
def sent(tab):
    """The CDP methods that were sent while the test ran."""
    connection, methods = engine_of(tab).session.connection, []
    before = connection.on_traffic

    def note(direction, session_id, raw):
        if direction == "sent":
            methods.append(json.loads(raw)["method"])
        before(direction, session_id, raw)

    connection.on_traffic = note
    yield methods
    connection.on_traffic = before


async def shown(tab, site, body, **options):
    await tab.goto(site.page(body))
    return str(await tab.snapshot(**options))


async def test_a_role_set_through_internals_is_shown_with_its_state_and_can_be_clicked(tab, site):
    text = await shown(tab, site, INTERNALS)
    ref = re.search(r'^checkbox "Agree" (@e\d+)$', text, re.MULTILINE)
    assert ref, text
    await tab.click(ref[1])
    assert f'checkbox "Agree" {ref[1]} [checked]' in str(await tab.snapshot())


async def test_only_pages_with_such_elements_are_asked_about(tab, site, sent):
    await shown(tab, site, "<h1>Plain</h1><button>Go</button>")
    assert not [method for method in sent if method.startswith("Accessibility")]
    await shown(tab, site, INTERNALS)
    asked = [method for method in sent if method.startswith("Accessibility")]
    assert len(asked) == 2
    await tab.snapshot()
    assert len([method for method in sent if method.startswith("Accessibility")]) == 3


async def test_a_page_of_custom_elements_asks_about_one_in_a_hundred_nodes_at_most(tab, site, sent):
    body = "".join(f"<my-row><i>{n}</i></my-row>" for n in range(3000))
    body += "<script>customElements.define('my-row', class extends HTMLElement {})</script>"
    await shown(tab, site, body)
    assert 0 < len([method for method in sent if method.startswith("Accessibility")]) <= 61


async def test_counters_are_shown_as_the_page_numbers_them(tab, site):
    style = "<style>li { counter-increment: n } li::before { content: counter(n, upper-roman) '. ' }</style>"
    text = await shown(
        tab, site, f"{style}<ul><li>wash</li><li>dry</li></ul><button>Go</button>", mode="full"
    )
    assert '"I. wash"' in text
    assert '"II. dry"' in text


async def test_a_counter_that_changes_is_asked_again(tab, site):
    style = "<style>h2 { counter-increment: n } h2::before { content: '#' / 'Step ' counter(n) }</style>"
    assert 'heading "Step 1 Cut"' in await shown(tab, site, f"{style}<h2>Cut</h2><button>Go</button>")
    await tab.evaluate("document.body.prepend(document.createElement('h2'))")
    assert 'heading "Step 2 Cut"' in str(await tab.snapshot())


async def test_inert_text_and_actions_are_not_part_of_names(tab, site):
    text = await shown(
        tab,
        site,
        "<button>Pay <span inert>nothing</span></button><div role=tablist>"
        "<div role=tab tabindex=0 aria-actions=x>Draft <button id=x>Close</button></div></div>",
    )
    assert re.search(r'button "Pay" @e', text)
    assert re.search(r'tab "Draft" @e', text)
    assert re.search(r'button "Close" @e', text)


async def test_what_has_the_focus_is_shown_although_it_stands_in_a_hidden_part(tab, site):
    body = "<div aria-hidden=true><button id=in>Inside</button></div><div aria-hidden=true><button>Other</button></div>"
    assert "Inside" not in await shown(tab, site, f"{body}<button>Out</button>")
    await tab.evaluate("document.getElementById('in').focus()")
    text = str(await tab.snapshot())
    assert re.search(r'button "Inside" @e\d+ \[focused\]', text)
    assert "Other" not in text


async def test_an_option_drawn_by_the_page_is_selected_by_one_of_its_texts(tab, site):
    text = await shown(tab, site, RICH_SELECT)
    assert 'combobox "Pet"' in text
    assert 'options="Cat sleeps|Dog barks"' in text
    await tab.select("label=Pet", "Dog")
    assert await tab.evaluate("document.querySelector('select').value") == "d"


async def test_full_mode_shows_labels_as_text_and_date_fields_as_text_boxes(tab, site):
    text = await shown(
        tab, site, "<label>Born <input type=date></label><label>Name <input></label>", mode="full"
    )
    assert "LabelText" not in text
    assert '"Born"' in text
    assert re.search(r'^textbox "Born" @e\d+ \[date\]', text, re.MULTILINE)
    await tab.fill('role=textbox[name="Born"]', "2026-02-03")
    assert await tab.evaluate("document.querySelector('input').value") == "2026-02-03"
