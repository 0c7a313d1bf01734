"""The recipe for browser-use: its agent reads a page with Boathook, in the browser of browser-use; `make clients` runs it."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.clients import scenario
from tests.clients.conversation import ModelReply
from tests.clients.drivers import KEY, ROOT, Place, dead_proxies
from tests.clients.installing import CannotInstall, PythonPackages
from tests.clients.libraries import AGENTS
from tests.clients.model_server import ModelServer
from tests.clients.processes import run_program
from tests.support.site import Site
from tests.support.thorough import THOROUGH

BROWSER_USE = PythonPackages("browser-use", ("browser-use==0.13.14", "--editable", str(ROOT)))
SECONDS = 180
OURS = "# Boat moorings"
"""The heading as Markdown; the agent's own view of the page has it without the sign."""
QUIET = {
    "ANONYMIZED_TELEMETRY": "false",
    "BROWSER_USE_CLOUD_SYNC": "false",
    "BROWSER_USE_VERSION_CHECK": "false",
    "IN_DOCKER": "true",  # it starts Chromium without the sandbox then, as root needs it
}


def scripted_agent(url):
    """The replies of the model: open the page, read it with Boathook, and end."""
    actions = iter(
        (
            {"navigate": {"url": url, "new_tab": False}},
            {"read_page": {}},
            {"done": {"text": scenario.FINAL_TEXT, "success": True, "files_to_display": []}},
        )
    )
    thoughts = {"thinking": "", "evaluation_previous_goal": "", "memory": "", "next_goal": ""}
    return lambda _request: ModelReply(text=json.dumps({**thoughts, "action": [next(actions)]}))


@pytest.mark.skipif(not THOROUGH, reason="`make clients` runs it: the package is large")
@pytest.mark.timeout(900)
def test_the_agent_of_browser_use_reads_its_page_with_boathook():
    try:
        BROWSER_USE.install()
    except CannotInstall as error:
        pytest.skip(str(error))
    site = Site()
    url = site.page(scenario.BODY, title=scenario.TITLE)
    model = ModelServer(reply=scripted_agent(url))
    try:
        with tempfile.TemporaryDirectory(prefix="bh-", ignore_cleanup_errors=True) as folder:
            place = Place(Path(folder), model.origin)
            place.prepare()
            variables = {
                "MODEL_ORIGIN": model.origin,
                "MODEL_KEY": KEY,
                "PROMPT": scenario.PROMPT,
                "BROWSER_USE_CONFIG_DIR": str(place.home / "browser-use"),
                "CHROME": shutil.which("chromium") or "",
            }
            ended = run_program(
                [*BROWSER_USE.argv, str(AGENTS / "browser_use_agent.py")],
                environment={**place.environment, **QUIET, **dead_proxies(), **variables},
                folder=place.work,
                log=place.home / "output",
                seconds=SECONDS,
            )
    finally:
        model.close()
        site.close()
    asked = [json.dumps(recorded.body) for recorded in model.recorded]
    assert (ended.exit_status, len(asked)) == (0, 3), ended.output[-2000:]
    assert scenario.FINAL_TEXT in ended.output
    assert [OURS in body for body in asked] == [False, False, True], os.linesep.join(asked)[-3000:]
    assert "Boat moorings" in asked[1], "the control: the agent's own view shows the page"
