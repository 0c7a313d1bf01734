"""Clients that once sent their models only the small data beside Boathook's text; `make clients` runs all of them."""

import pytest

from tests.clients.report import NotRun
from tests.clients.running import run_client
from tests.support.thorough import sample

INSTALLING_SECONDS = 600


@pytest.mark.timeout(INSTALLING_SECONDS)
@pytest.mark.parametrize("name", sample(["Claude Code", "pydantic-ai"], 1))
def test_the_model_is_sent_the_tree_refs_changes_image_error_and_next_action(name):
    run = run_client(name)
    if isinstance(run, NotRun):
        pytest.skip(run.reason)
    assert run.problems == []
    assert set(run.arrived.values()) == {True}
