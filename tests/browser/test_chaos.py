"""Targets that are replaced, moved, covered, disabled or removed while they are acted on: a sample of tools/stress_chaos.py."""

import pytest

from tools.stress_chaos import CALM_EVERY, KINDS, stress

ROUNDS = 20


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
async def test_an_action_in_chaos_never_claims_what_the_page_did_not_see(tab, site, kind):
    tally = await stress(tab, site.url("gallery/chaos.html"), kind, rounds=ROUNDS, seed=7)
    assert not tally.faults
    assert tally.calm == ROUNDS // CALM_EVERY
    assert tally.succeeded + tally.failed.total() == ROUNDS
