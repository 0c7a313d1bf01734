"""No answer is as long as a page makes it: every text in it has a limit, whatever its command and surface."""

import json
from dataclasses import fields, is_dataclass

import pytest

from boathook.errors import OptionNotFound
from boathook.service.output.data_budget import bounded
from boathook.service.output.output_guard import ERROR_CHARACTERS, FACT_CHARACTERS, JSON_CHARACTERS
from tests.support.thorough import at_most

HUGE = at_most(100_000, 500_000)
LONGEST = JSON_CHARACTERS + FACT_CHARACTERS
"""Of one text on the command line; the data of an answer is within its own limit as a whole."""
HOSTILE = f"""<button aria-label='{"n" * HUGE}'>x</button><input aria-label=In value='{"v" * HUGE}'>
<a href='/{"h" * HUGE}'>far</a><p>{"word " * 100_000}</p><select aria-label=Pick><option>{"o" * HUGE}</select>
<iframe name='{"f" * HUGE}' title='{"t" * HUGE}' srcdoc='<p>in'></iframe>
<script>
const big = 'x'.repeat({HUGE});
console.log(big); console.error(new Error(big));
localStorage.setItem('key', big); sessionStorage.setItem('k'.repeat(100000), big);
document.cookie = 'c=' + 'y'.repeat(4000);
history.replaceState(null, '', '#' + big);
alert(big);
setTimeout(() => {{ throw new Error(big); }});
fetch('/missing?' + 'q'.repeat(60000)).catch(() => 0);
</script>"""
COMMANDS = """
snapshot;tabs;get url;console;eval throw('e'.repeat(600000));get value input;cookies;find role button;requests;
eval ({a:'z'.repeat(600000)});errors;session list;
snapshot --mode full;snapshot --urls;get title;get html p;get text p;get attr a href;frames;storage;read;click button;
fill input short;is visible button;wait text=word;eval document.title;eval location.href;history;vitals;collect a;
select select nothing;hover role=button;highlight button;click text=nothing-like-this
"""
MOST_FAILURES = 5
"""Of lines that are to fail: scripts that throw, targets that do not exist or match twice."""
FIRST = 7
"""Lines of `make test`; the others take seconds each on such a page."""


def longest_text(data):
    """The longest string in JSON data or in a value of the Python API, and where it is."""
    found = (0, "")
    waiting = [("", data)]
    while waiting:
        where, part = waiting.pop()
        if isinstance(part, str):
            found = max(found, (len(part), where))
        elif isinstance(part, dict):
            waiting += [(f"{where}.{name[:30]}", inner) for name, inner in part.items()]
            waiting += [(f"{where}.(name)", name) for name in part]
        elif isinstance(part, list | tuple):
            waiting += [(f"{where}[]", inner) for inner in part]
        elif is_dataclass(part):
            waiting += [(f"{where}.{field.name}", getattr(part, field.name)) for field in fields(part)]
    return found


def lines():
    every = [line.split(" ") for line in COMMANDS.replace("\n", "").split(";")]
    return every[: at_most(FIRST, len(every))]


def test_no_answer_of_the_command_line_is_as_long_as_the_page_made_it(program, site):
    opened = json.loads(program.ask("--json", "open", site.page(HOSTILE, title="T" * HUGE)).out)
    assert opened["ok"]
    long, failed = {}, {}
    for line in lines():
        data, text = program.ask("--json", *line), program.ask(*line)
        answer = json.loads(data.out)
        if not answer["ok"]:
            failed[" ".join(line)[:60]] = answer["error"]["code"]
        length, where = longest_text(answer)
        if max(length, len(text.out)) > LONGEST or max(len(data.err), len(text.err)) > 5 * ERROR_CHARACTERS:
            long[" ".join(line)[:60]] = (length, where, len(text.out), len(text.err))
    assert not long
    assert len(failed) <= MOST_FAILURES, failed


async def test_titles_dialogs_and_names_have_limits_in_the_python_api(tab, site):
    arrived = await tab.goto(site.page(HOSTILE, title="T" * HUGE))
    assert len(arrived.title) <= 1_000
    assert longest_text(arrived.dialogs)[0] <= 2_000
    snapshot = await tab.snapshot()
    assert len(snapshot.text) < 20_000
    assert len(await tab.title()) <= 1_000
    assert len(tab.url) > HUGE, "a program needs the whole URL; its reprs are for logs"
    values = (tab, arrived, snapshot, await tab.frames(), await tab.read(), await tab.requests())
    assert max(len(repr(value)) for value in values) <= 25_000
    with pytest.raises(OptionNotFound) as caught:
        await tab.select("select", "nothing")
    assert len(str(caught.value)) < 1_000
    assert longest_text(caught.value.evidence)[0] < 1_000


def test_a_bounded_value_keeps_what_fits_and_its_shape():
    assert bounded({"a": ["x" * 30, 1, None], "b": "y"}, 20) == {"a": ["x" * 19 + "…", 1, None], "b": "y"}
