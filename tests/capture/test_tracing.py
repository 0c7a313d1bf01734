"""Traces, profiles and heaps: files that other programs read, made while the page goes on."""

import json
from functools import partial

import msgspec
import pytest

from boathook.engine.capture.performance.heap_summary import summarize
from boathook.errors import BadRequest, BadSetting, TabGone
from boathook.presentation.all_renderers import as_text
from boathook.redaction.redactor import Redactor
from tests.support.chromium import foreign_chromium, port_of
from tests.support.engine import engine_of
from tests.support.waiting import until_asked

BUSY = """<h1>Busy</h1><script>
class Kept { constructor(number) { this.words = 'word ' + number } }
window.kept = Array.from({length: 3000}, (_, number) => new Kept(number))
function burn(milliseconds) { const end = performance.now() + milliseconds; let sum = 0; while (performance.now() < end) sum += Math.sqrt(sum + 1); return sum }
</script>"""


ALL_TEXTS = """() => {
  const said = []
  const walk = (node) => {
    if (node.shadowRoot) walk(node.shadowRoot)
    for (const child of node.childNodes)
      if (child.nodeType === 3) said.push(child.textContent.trim())
      else if (!['STYLE', 'SCRIPT'].includes(child.tagName)) walk(child)
  }
  walk(document.body)
  return said.join(' ')
}"""


class Event(msgspec.Struct):
    """What the trace event format asks of every event."""

    name: str
    ph: str
    pid: int
    tid: int
    ts: float
    cat: str
    dur: float = 0
    args: dict = {}


class Trace(msgspec.Struct, rename="camel"):
    trace_events: list[Event]
    metadata: dict


class CallFrame(msgspec.Struct, rename="camel"):
    function_name: str
    script_id: str
    url: str
    line_number: int
    column_number: int


class Node(msgspec.Struct, rename="camel"):
    id: int
    call_frame: CallFrame
    children: list[int] = []


class Profile(msgspec.Struct, rename="camel"):
    nodes: list[Node]
    start_time: float
    end_time: float
    samples: list[int]
    time_deltas: list[int]


async def test_a_trace_has_the_page_in_it_and_follows_the_format(tab, site, tmp_path):
    await tab.trace_start()
    page = site.page(BUSY)
    await tab.goto(f"{page}?token=abcdef0123456789")
    await tab.evaluate("burn(20); performance.mark('landmark-of-the-test'); console.timeStamp('hunter-two')")
    await tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    engine_of(tab).redactor = lambda: Redactor({"hunter-two"})
    done = await tab.trace_stop(tmp_path / "new" / "trace.json")
    raw = done.path.read_bytes()
    trace = msgspec.json.decode(raw, type=Trace)
    names = {event.name for event in trace.trace_events}
    assert {"TracingStartedInBrowser", "FunctionCall", "ParseHTML"} <= names, "the panel looks for these"
    assert "landmark-of-the-test" in names
    assert {event.ph for event in trace.trace_events} <= set("BEXIiCbensSTtfNODMPRcv(),")
    assert any(page in str(event.args) for event in trace.trace_events)
    assert (len(trace.trace_events), len(raw)) == (done.events, done.size)
    assert b"hunter-two" not in raw
    assert b"abcdef0123456789" not in raw
    assert b"[REDACTED]" in raw
    assert done.path.stat().st_mode & 0o77 == 0
    assert f"{done.events} events" in as_text(done)


async def test_one_trace_at_a_time_of_the_categories_that_were_asked_for(browser, tab, tmp_path):
    await tab.trace_start(categories=["blink.user_timing,loading"])
    other = await browser.open()
    with pytest.raises(BadRequest, match="already running"):
        await other.trace_start()
    await tab.evaluate("performance.mark('a-landmark')")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRequest, match="cannot be written"):
        await tab.trace_stop(tmp_path / "file" / "x.json")
    done = await other.trace_stop()
    assert b"a-landmark" in done.path.read_bytes()
    assert b"FunctionCall" not in done.path.read_bytes()
    with pytest.raises(BadRequest, match="no trace is running"):
        await tab.trace_stop()
    with pytest.raises(BadSetting):
        await tab.trace_start(categories=["no such; category"])


async def test_a_trace_that_went_with_its_tab_is_told_and_does_not_stop_the_next(browser, tab):
    for ending in ("stop", "start"):
        other = await browser.open()
        await other.trace_start(categories=["loading"])
        await other.close()
        if ending == "stop":
            with pytest.raises(TabGone, match="its trace was lost"):
                await tab.trace_stop()
        await tab.trace_start(categories=["loading"])
        assert (await tab.trace_stop()).events > 0


async def test_the_developer_tools_of_chromium_load_a_trace(tab, site, tmp_path):
    await tab.goto(site.page(BUSY))
    await tab.trace_start()
    await tab.reload()
    done = await tab.trace_stop(tmp_path / "trace.json")
    with foreign_chromium() as (_, profile):
        await tab.goto(f"http://127.0.0.1:{await port_of(profile)}/devtools/devtools_app.html?panel=timeline")
        await tab.wait_for("input[type=file]", state="attached", timeout=60)
        await tab.upload("input[type=file]", done.path)
        await until_asked(
            partial(shows_trace, tab), seconds=60, named="the performance panel shows the trace"
        )


async def shows_trace(tab):
    said = await tab.evaluate(ALL_TEXTS)
    assert "Recording failed" not in said, said
    return "Bottom-up" in said and "Scripting" in said


async def test_a_profile_names_the_function_that_took_the_time(tab, site, tmp_path):
    await tab.goto(site.page(BUSY))
    with pytest.raises(BadRequest, match="no profile"):
        await tab.profiler_stop()
    await tab.profiler_start(interval=200)
    with pytest.raises(BadRequest, match="already running"):
        await tab.profiler_start()
    await tab.evaluate("burn(120)")
    done = await tab.profiler_stop(tmp_path / "page.cpuprofile")
    profile = msgspec.json.decode(done.path.read_bytes(), type=Profile)
    assert len(profile.samples) == len(profile.time_deltas) == done.samples
    assert {child for node in profile.nodes for child in node.children} <= {node.id for node in profile.nodes}
    assert done.busiest[0].name == "burn"
    assert done.busiest[0].milliseconds > 50
    assert site.origin in done.busiest[0].place
    assert '"burn"' in as_text(done)


async def test_a_heap_snapshot_holds_what_the_page_holds_and_its_summary_adds_it_up(tab, site, tmp_path):
    await tab.goto(site.page(BUSY))
    done = await tab.heap_snapshot(tmp_path / "page.heapsnapshot")
    heap = json.loads(done.path.read_bytes())
    fields = heap["snapshot"]["meta"]["node_fields"]
    assert len(heap["nodes"]) == heap["snapshot"]["node_count"] * len(fields)
    assert done.path.stat().st_size == done.size
    from_file = await tab.heap_summary(done.path, most=500)
    kept = next(group for group in from_file.groups if group.name == "Kept")
    names, sizes = fields.index("name"), fields.index("self_size")
    rows = [heap["nodes"][at : at + len(fields)] for at in range(0, len(heap["nodes"]), len(fields))]
    assert sum(row[sizes] for row in rows) == from_file.bytes
    assert len(rows) == from_file.objects
    kinds = heap["snapshot"]["meta"]["node_types"][0]
    mine = [row for row in rows if heap["strings"][row[names]] == "Kept" and kinds[row[0]] == "object"]
    assert (kept.count, kept.bytes) == (len(mine), sum(row[sizes] for row in mine))
    assert kept.count >= 3000
    now = await tab.heap_summary(most=5)
    assert len(now.groups) == 5
    assert str(now.objects) in as_text(now)


def test_a_heap_is_read_in_pieces_wherever_these_end(tmp_path, monkeypatch):
    meta = {
        "node_fields": ["type", "name", "id", "self_size", "edge_count"],
        "node_types": [["object", "string"], "string"],
    }
    strings = ["", 'A "quoted\\" one', "Bär", "words " * 50]
    nodes = [
        number for each_number in range(300) for number in (0, 1 + each_number % 2, each_number, 10, 0)
    ] + [1, 3, 999, 7, 0]
    path = tmp_path / "x.heapsnapshot"
    path.write_text(
        json.dumps(
            {"snapshot": {"meta": meta}, "nodes": nodes, "edges": [1, 2, 3], "strings": strings},
            separators=(",", ":"),
        )
    )
    whole = summarize(path, most=9)
    assert [(group.name, group.count, group.bytes) for group in whole.groups] == [
        ('A "quoted\\" one', 150, 1500),
        ("Bär", 150, 1500),
        ("(string)", 1, 7),
    ]
    for size in (1, 3, 7, 64):
        monkeypatch.setattr("boathook.engine.capture.performance.heap_summary.PIECE", size)
        assert summarize(path, most=9) == whole


async def test_what_is_no_heap_snapshot_is_told(lasting_tab, tmp_path):
    path = tmp_path / "x.heapsnapshot"
    for text in ("", "{}", "[1, 2]", '{"snapshot":{"meta":{}},"nodes":[1,2', "x" * 200_000):
        path.write_text(text)
        with pytest.raises(BadRequest, match="not a heap snapshot"):
            await lasting_tab.heap_summary(path)
    with pytest.raises(BadRequest, match="cannot be read"):
        await lasting_tab.heap_summary(tmp_path / "missing")
