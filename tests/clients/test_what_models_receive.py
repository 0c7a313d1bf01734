"""Two of the clients of `make clients`: each once sent its model only the small data beside Boathook's text."""

import pytest

from tests.clients.report import NotRun
from tests.clients.running import run_client

INSTALLING_SECONDS = 600


@pytest.mark.timeout(INSTALLING_SECONDS)
@pytest.mark.parametrize("name", ["Claude Code", "pydantic-ai"])
def test_the_model_is_sent_the_tree_refs_changes_image_error_and_next_action(name):
    run = run_client(name)
    if isinstance(run, NotRun):
        pytest.skip(run.reason)
    assert run.problems == []
    assert set(run.arrived.values()) == {True}
