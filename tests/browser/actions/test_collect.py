"""Scroll and collect: lists that show a few rows at a time or bring more on scrolling, read to the end or to a limit."""

import pytest

from boathook.errors import BadSetting, BadTarget, DialogOpen, TargetError, TargetNotFound

VIRTUAL = """<div id=box role=list aria-label=Rows style="height:300px;width:300px;overflow:auto;position:relative"><div id=all></div></div><script>
const HEIGHT = 30, COUNT = %(count)d, POOL = 16;
all.style.cssText = `height:${HEIGHT * COUNT}px;position:relative`;
const rows = [...Array(POOL)].map(() => { const row = document.createElement('div'); row.className = 'row'; row.style.cssText = 'position:absolute;height:30px'; all.append(row); return row; });
const words = %(words)s;
const draw = () => {
  const from = Math.min(Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 2), COUNT - POOL);
  for (let i = from; i < from + POOL; i++) {
    const row = rows[i %% POOL];
    row.style.top = i * HEIGHT + 'px';
    row.textContent = words(i);
    %(mark)s
  }
};
box.addEventListener('scroll', draw);
draw();
</script>"""
ENDLESS = """<ul id=list style="%(style)s"></ul><div id=foot style="height:20px"></div><script>
let page = 0, loading = false;
const load = async () => {
  if (loading || page >= %(pages)d) return;
  loading = true;
  %(fetch)s;
  for (let i = 0; i < 20; i++) { const item = document.createElement('li'); item.style.height = '40px'; item.textContent = `Item ${page * 20 + i + 1}`; list.append(item); }
  page += 1;
  loading = false;
};
const near = () => { const box = %(box)s; if (box.scrollTop + box.clientHeight > box.scrollHeight - 100) load(); };
%(listen)s.addEventListener('scroll', near);
load();
</script>"""
PAGE = {"style": "", "box": "document.scrollingElement", "listen": "document"}
BOX = {"style": "height:300px;overflow:auto", "box": "list", "listen": "list"}
REQUEST = "await (await fetch(location.href)).text()"
TIMER = "await new Promise(done => setTimeout(done, 150))"


def virtual(*, count=110, words="i => `Row ${i + 1}`", mark=""):
    return VIRTUAL % {"count": count, "words": words, "mark": mark}


def texts(collected):
    return [item.text for item in collected.items]


@pytest.mark.parametrize(
    "mark",
    [
        "",
        "row.setAttribute('aria-posinset', i + 1);",
        "row.dataset.index = i;",
        "row.id = 'slot' + i % POOL;",
    ],
)
async def test_rows_that_are_used_again_are_all_collected_once_and_in_order(tab, site, mark):
    await tab.goto(site.page(virtual(count=60, mark=mark)))
    found = await tab.collect("css=.row")
    assert texts(found) == [f"Row {number}" for number in range(1, 61)]
    assert found.complete
    assert found.reason == "end"


async def test_rows_that_say_the_same_are_told_apart_by_their_place(tab, site):
    await tab.goto(site.page(virtual(count=70, words="i => i % 7 ? 'Same' : `Head ${i}`")))
    found = await tab.collect("css=.row")
    assert texts(found) == ["Same" if number % 7 else f"Head {number}" for number in range(70)]
    assert found.complete


async def test_rows_that_all_say_the_same_are_counted(tab, site):
    await tab.goto(site.page(virtual(count=60, words="() => 'Buy'")))
    assert len((await tab.collect("css=.row")).items) == 60


async def test_a_list_that_stands_in_its_middle_is_read_from_its_top(tab, site):
    await tab.goto(site.page(virtual(count=60)))
    await tab.evaluate("box.scrollTop = 900")
    assert texts(await tab.collect("css=.row"))[0] == "Row 1"


@pytest.mark.parametrize("where", [PAGE, BOX], ids=["page", "box"])
@pytest.mark.parametrize("fetch", [REQUEST, TIMER], ids=["request", "timer"])
async def test_a_list_that_brings_more_is_followed_to_its_end(tab, site, where, fetch):
    await tab.goto(site.page(ENDLESS % {"pages": 3, "fetch": fetch, **where}))
    found = await tab.collect("css=li")
    assert texts(found) == [f"Item {number}" for number in range(1, 61)]
    assert found.complete


async def test_an_answer_that_takes_long_is_waited_for(tab, site):
    slow = "if (page) { await new Promise(done => setTimeout(done, 300)); await (await fetch('/named?name=x&late=1')).text().catch(() => 0) }"
    await tab.goto(site.page(ENDLESS % {"pages": 3, "fetch": slow, **BOX}))
    assert len((await tab.collect("css=li")).items) == 60


async def test_a_list_that_says_it_is_busy_is_waited_for(tab, site):
    busy = "if (page) { list.setAttribute('aria-busy', 'true'); await new Promise(done => setTimeout(done, 1500)); list.removeAttribute('aria-busy') }"
    await tab.goto(site.page(ENDLESS % {"pages": 2, "fetch": busy, **BOX}))
    found = await tab.collect("css=li")
    assert len(found.items) == 40
    assert found.complete


async def test_a_count_a_text_and_the_time_end_it_and_are_named(tab, site):
    await tab.goto(site.page(ENDLESS % {"pages": 100000, "fetch": TIMER, **BOX}))
    some = await tab.collect("css=li", count=30)
    assert (len(some.items), some.complete, some.reason) == (30, False, "count")
    most = await tab.collect("css=li", most=10)
    assert (len(most.items), most.complete, most.reason) == (10, False, "count")
    until = await tab.collect("css=li", until="item 57")
    assert (until.reason, until.complete) == ("text", False)
    assert "Item 57" in texts(until)
    late = await tab.collect("css=li", most=20000, timeout=1.5)
    assert (late.reason, late.complete) == ("time", False)
    assert late.items, "what was collected until then is kept"


async def test_a_list_that_does_not_scroll_is_complete_at_once(tab, site):
    await tab.goto(site.page("<ul><li>One<li>Two<li style='display:none'>Hidden<li><img alt='A cat'></ul>"))
    found = await tab.collect("role=listitem")
    assert texts(found) == ["One", "Two", "A cat"]
    assert found.complete


async def test_refs_of_what_is_still_there_can_be_used(tab, site):
    await tab.goto(site.page(virtual(count=60, mark="row.onclick = () => document.title = row.textContent;")))
    found = await tab.collect("css=.row")
    assert found.items[0].ref == "", "it has scrolled away"
    assert found.items[-1].ref.startswith("@e")
    await tab.click(found.items[-1].ref)
    assert await tab.title() == "Row 60"


async def test_within_tells_one_list_from_another(tab, site):
    await tab.goto(site.page("<ul id=a><li>A1<li>A2</ul><ul id=b><li>B1</ul>"))
    assert texts(await tab.collect("css=li", within="#b")) == ["B1"]
    assert texts(await tab.collect("css=li")) == ["A1", "A2", "B1"]
    with pytest.raises(TargetNotFound, match="nothing inside"):
        await tab.collect("css=ul", within="#b")


async def test_words_that_come_late_replace_what_stood_there(tab, site):
    await tab.goto(
        site.page(
            virtual(
                count=60,
                words="() => 'Loading'",
                mark="row.dataset.index = i; clearTimeout(row.timer); row.timer = setTimeout(() => row.textContent = `Row ${i + 1}`, 40);",
            )
        )
    )
    found = await tab.collect("css=.row")
    assert len(found.items) == 60
    assert texts(found)[-1] == "Row 60"


async def test_a_list_in_a_frame_of_another_site_and_one_in_a_shadow_root_are_collected(tab, site):
    inner = site.page(virtual(count=50)).replace("127.0.0.1", "localhost")
    await tab.goto(site.page(f"<iframe width=400 height=400 src='{inner}'></iframe>"))
    assert len((await tab.collect("css=.row")).items) == 50
    await tab.goto(
        site.page(
            "<x-list></x-list><script>const root = document.querySelector('x-list').attachShadow({mode: 'open'}); root.innerHTML = '<div style=\"height:100px;overflow:auto\">' + [...Array(40).keys()].map(i => `<p>P ${i}</p>`).join('') + '</div>'</script>"
        )
    )
    assert len((await tab.collect("css=p")).items) == 40


async def test_a_page_that_goes_away_leaves_what_was_collected(tab, site):
    gone = virtual(mark="if (i > 100) location.href = '/given/0';")
    await tab.goto(site.page(gone))
    found = await tab.collect("css=.row")
    assert (found.reason, found.complete) == ("page", False)
    assert len(found.items) > 20


async def test_a_dialog_on_the_way_is_named(tab, site):
    await tab.goto(
        site.page(virtual(mark="if (i === 60 && !window.asked) { window.asked = 1; confirm('More?') }"))
    )
    with pytest.raises(DialogOpen):
        await tab.collect("css=.row")
    await tab.answer_dialog(accept=True)
    assert (await tab.collect("css=.row")).complete


async def test_impossible_wishes_are_refused(tab, site):
    await tab.goto(site.page("<ul id=a><li>A</ul><p id=p>x</p>"))
    for wrong in (
        {"count": 0},
        {"until": ""},
        {"count": True},
        {"count": 1.5},
        {"until": 3},
        {"until": "x", "count": 3},
        {"most": 0},
        {"most": 10**6},
    ):
        with pytest.raises(BadSetting):
            await tab.collect("css=li", **wrong)
    for target in ("@e1", "10,10"):
        with pytest.raises(BadTarget):
            await tab.collect(target)
    with pytest.raises(TargetNotFound):
        await tab.collect("css=.nonesuch")
    with pytest.raises(TargetError):
        await tab.collect("css=li", within="#nonesuch")
