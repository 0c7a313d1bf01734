"""The walker agrees with Chromium's own accessibility tree, on pages it was tuned on and on pages it was not."""

import tomllib
from dataclasses import replace
from pathlib import Path

import compare
import conftest
import pytest
import report

HERE = Path(__file__).parent
PARTS = ("open", "held_out")
ENOUGH = 99.0

pytestmark = [pytest.mark.timeout(240), pytest.mark.slow]


def listed():
    text = (HERE / "disagreements.toml").read_text(encoding="utf-8")
    return tomllib.loads(text).get("disagreement", [])


def keys_of(entries):
    return {(e["page"], e["where"], e["kind"], e["ours"], e["chromium"]) for e in entries}


def keys_found(score):
    return {(d.page, d.where, d.kind, d.ours, d.chromium) for d in score.disagreements}


def pages_of(part):
    return {file.stem for file in (HERE / "pages" / part).glob("*.html")}


def test_the_corpus_has_at_least_sixty_pages_and_twenty_of_them_are_held_out():
    assert len(pages_of("open")) + len(pages_of("held_out")) >= 60
    assert len(pages_of("held_out")) >= 20


@pytest.mark.parametrize("part", PARTS)
async def test_roles_and_names_agree_with_chromium_for_99_percent_of_exposed_nodes(part, measure):
    score = await measure(part)
    print(report.line(part, score))
    assert score.nodes >= 500
    assert compare.percent(score.agreeing, score.nodes) >= ENOUGH


@pytest.mark.parametrize("part", PARTS)
async def test_states_nesting_and_order_agree_with_chromium_too(part, measure):
    score = await measure(part)
    assert score.states >= 100
    assert compare.percent(score.states_agreeing, score.states) >= 98.0
    assert compare.percent(score.descriptions_agreeing, score.descriptions) >= 98.0
    assert compare.percent(score.nested_agreeing, score.nested) >= ENOUGH
    assert compare.percent(score.ordered_agreeing, score.ordered) >= ENOUGH


@pytest.mark.parametrize("part", PARTS)
async def test_every_disagreement_is_listed(part, measure):
    new = keys_found(await measure(part)) - keys_of(listed())
    assert not new, "not in disagreements.toml:\n" + "\n".join(map(str, sorted(new)))


@pytest.mark.parametrize("part", PARTS)
async def test_no_listed_disagreement_is_out_of_date(part, measure):
    entries = [entry for entry in listed() if entry["page"] in pages_of(part)]
    old = keys_of(entries) - keys_found(await measure(part))
    assert not old, "no longer happens:\n" + "\n".join(map(str, sorted(old)))


def test_every_listed_disagreement_has_a_reason_and_a_page():
    pages = pages_of("open") | pages_of("held_out")
    for entry in listed():
        assert len(entry["reason"]) > 20, entry
        assert entry["page"] in pages, entry


async def test_the_report_shows_these_figures(request, measure):
    scores = {part: await measure(part) for part in PARTS}
    file = HERE / "report.md"
    if request.config.getoption("--write-report"):
        file.write_text(report.render(scores, listed()), encoding="utf-8")
    written = file.read_text(encoding="utf-8")
    for part, score in scores.items():
        assert report.line(part, score) in written, "run pytest tests/oracle --write-report"


# Positive controls: a walker that is wrong in one way is caught by the figure that is there for it.


@pytest.fixture
async def both_sides(browser, server):
    """The walker's and Chromium's nodes of one page, and its elements."""
    await browser.load(f"{server.origin}/open/sign_up_form.html")
    ours = compare.walker_nodes(await browser.walker_dump())
    known = compare.elements(await browser.document())
    return ours, compare.chromium_nodes(await browser.ax_trees(), known), known


def measured(both_sides, change):
    ours, theirs, known = both_sides
    return compare.compare("sign_up_form", change(ours), theirs, known)


async def test_a_walker_without_names_is_caught(both_sides):
    score = measured(both_sides, lambda nodes: [replace(node, name="") for node in nodes])
    assert compare.percent(score.agreeing, score.nodes) < ENOUGH


async def test_a_walker_that_calls_buttons_links_is_caught(both_sides):
    wrong = {"button": "link"}
    score = measured(both_sides, lambda nodes: [replace(n, role=wrong.get(n.role, n.role)) for n in nodes])
    assert compare.percent(score.agreeing, score.nodes) < ENOUGH


async def test_a_walker_that_leaves_nodes_out_is_caught(both_sides):
    score = measured(both_sides, lambda nodes: [node for node in nodes if node.role != "textbox"])
    assert compare.percent(score.agreeing, score.nodes) < ENOUGH


async def test_a_walker_without_states_is_caught(both_sides):
    score = measured(both_sides, lambda nodes: [replace(node, states={}) for node in nodes])
    assert score.states > 0
    assert score.states_agreeing == 0


async def test_a_walker_without_nesting_is_caught(both_sides):
    score = measured(both_sides, lambda nodes: [replace(node, parent=None) for node in nodes])
    assert compare.percent(score.nested_agreeing, score.nested) < 50


async def test_a_walker_that_reverses_the_page_is_caught(both_sides):
    score = measured(both_sides, lambda nodes: nodes[::-1])
    assert compare.percent(score.ordered_agreeing, score.ordered) < 50


async def test_a_page_compared_twice_gives_the_same_score(browser, server):
    url = f"{server.origin}/open/sign_up_form.html"
    first = await conftest.compare_page(browser, url, "sign_up_form")
    assert first == await conftest.compare_page(browser, url, "sign_up_form")
