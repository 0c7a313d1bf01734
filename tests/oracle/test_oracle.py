"""The walker agrees with Chromium's own accessibility tree, on pages it was tuned on and on pages it was not."""

from dataclasses import replace

import pytest

from . import compare, measuring, report

PARTS = measuring.PARTS
ENOUGH = 99.0

pytestmark = [pytest.mark.timeout(240), pytest.mark.slow]


def names_of_pages(part):
    return {file.stem for file in measuring.pages_of(part)}


def test_the_corpus_has_at_least_sixty_pages_and_twenty_of_them_are_held_out():
    assert len(names_of_pages("open") | names_of_pages("held_out")) >= 60
    assert len(names_of_pages("held_out")) >= 20


@pytest.mark.parametrize("part", PARTS)
def test_roles_and_names_agree_with_chromium_for_99_percent_of_exposed_nodes(part, figures):
    score = figures.pages[part]
    assert score.nodes >= 500
    assert compare.percent(score.agreeing, score.nodes) >= ENOUGH


@pytest.mark.parametrize("part", PARTS)
def test_states_and_descriptions_agree_with_chromium_too(part, figures):
    score = figures.pages[part]
    assert score.states >= 200
    assert compare.percent(score.states_agreeing, score.states) >= 95
    assert compare.percent(score.descriptions_agreeing, score.descriptions) >= 95


@pytest.mark.parametrize("part", PARTS)
def test_nesting_order_and_text_agree_with_chromium_too(part, figures):
    score = figures.pages[part]
    assert compare.percent(score.texts_agreeing, score.texts) >= 98
    assert compare.percent(score.nested_agreeing, score.nested) >= ENOUGH
    assert compare.percent(score.ordered_agreeing, score.ordered) >= ENOUGH


@pytest.mark.parametrize("part", PARTS)
def test_every_disagreement_is_listed(part, figures):
    new = report.keys_found(figures.pages[part]) - report.keys_listed()
    assert not new, "not in disagreements.toml:\n" + "\n".join(map(str, sorted(new)))


@pytest.mark.parametrize("part", PARTS)
def test_no_listed_disagreement_is_out_of_date(part, figures):
    pages = names_of_pages(part)
    old = {key for key in report.keys_listed() if key[0] in pages} - report.keys_found(figures.pages[part])
    assert not old, "no longer happens:\n" + "\n".join(map(str, sorted(old)))


def test_every_listed_disagreement_has_a_reason_and_a_page():
    pages = names_of_pages("open") | names_of_pages("held_out")
    for entry in report.listed():
        assert len(entry["reason"]) > 20, entry
        assert entry["page"] in pages, entry


def test_the_report_shows_these_figures(figures):
    assert report.REPORT.read_text(encoding="utf-8") == report.render_report(figures), (
        "run pytest tests/oracle --write-report"
    )


# Positive controls: a walker that is wrong in one way is caught by the figure that is there for it.


@pytest.fixture
async def measured(page, server):
    """Compare one page after a change to what the walker said; `hide` takes a role away from Chromium."""
    ours, theirs, known = await measuring.both_trees(page, f"{server.origin}/open/sign_up_form.html")

    def compare_changed(change, *, hide=""):
        shown = replace(theirs, nodes=[node for node in theirs.nodes if node.role != hide])
        return compare.compare("sign_up_form", replace(ours, nodes=change(ours.nodes)), shown, known)

    return compare_changed


def test_a_walker_without_names_is_caught(measured):
    score = measured(lambda nodes: [replace(node, name="") for node in nodes])
    assert compare.percent(score.agreeing, score.nodes) < ENOUGH


def test_a_walker_that_calls_buttons_links_is_caught(measured):
    score = measured(lambda nodes: [replace(n, role="link" if n.role == "button" else n.role) for n in nodes])
    assert compare.percent(score.agreeing, score.nodes) < ENOUGH


def test_a_walker_that_leaves_nodes_out_is_caught(measured):
    score = measured(lambda nodes: [node for node in nodes if node.role != "textbox"])
    assert compare.percent(score.agreeing, score.nodes) < ENOUGH


def test_a_walker_that_exposes_more_than_chromium_is_caught(measured):
    right = measured(lambda nodes: nodes)
    score = measured(lambda nodes: nodes, hide="listitem")
    assert score.nodes == right.nodes
    assert score.agreeing < right.agreeing


def test_a_walker_without_states_is_caught(measured):
    score = measured(lambda nodes: [replace(node, states={}) for node in nodes])
    assert score.states > 0
    assert score.states_agreeing == 0


def test_a_walker_without_descriptions_is_caught(measured):
    score = measured(lambda nodes: [replace(node, description="") for node in nodes])
    assert score.descriptions > 0
    assert score.descriptions_agreeing == 0


def test_a_walker_without_nesting_is_caught(measured):
    score = measured(lambda nodes: [replace(node, parent=None) for node in nodes])
    assert compare.percent(score.nested_agreeing, score.nested) < 50


def test_a_walker_that_reverses_the_page_is_caught(measured):
    score = measured(lambda nodes: nodes[::-1])
    assert compare.percent(score.ordered_agreeing, score.ordered) < 50


async def test_a_walker_that_drops_text_is_caught(page, server):
    ours, theirs, known = await measuring.both_trees(page, f"{server.origin}/open/article.html")
    score = compare.compare("article", replace(ours, texts={}), theirs, known)
    assert compare.percent(score.texts_agreeing, score.texts) < 70
