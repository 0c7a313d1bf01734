"""The walker knows the public accessible-name and role cases at least as well as Chromium does."""

import pytest

from . import facts as wpt
from . import measuring, report

pytestmark = [pytest.mark.timeout(240), pytest.mark.slow]


def test_there_are_hundreds_of_facts_and_three_in_ten_are_held_out():
    facts = [fact for group in wpt.facts_by_file().values() for fact in group]
    assert wpt.expected(facts)["name"] >= 600
    assert wpt.expected(facts)["role"] >= 300
    assert 0.25 < sum(wpt.part_of(fact) == "held_out" for fact in facts) / len(facts) < 0.35
    assert len({fact["id"] for fact in facts}) == len(facts)


@pytest.mark.parametrize("part", measuring.PARTS)
@pytest.mark.parametrize("kind", wpt.KINDS)
def test_the_walker_is_at_most_one_point_behind_chromium(part, kind, figures):
    result = figures.facts[part]
    ours, theirs = wpt.right(result.facts, result.ours), wpt.right(result.facts, result.chromium)
    wrong = "\n".join(str(miss) for miss in result.ours if miss.kind == kind)
    assert ours[kind] >= theirs[kind] - 1, wrong


def test_the_list_of_misses_is_up_to_date(figures):
    assert report.MISSES.read_text(encoding="utf-8") == report.render_misses(figures), (
        "run pytest tests/oracle --write-report"
    )


def test_a_walker_that_says_nothing_is_caught(figures):
    result = figures.facts["open"]
    silent = wpt.right(result.facts, wpt.misses(result.facts, {}))
    assert silent == {"name": 0, "role": 0, "description": 0}
