"""The snapshot text of ten pages, kept so that changes are noticed and reviewed.

`pytest tests/golden --write-golden` updates the files.
"""

import re
from pathlib import Path

import pytest

from tests.oracle.measuring import PAGES

GOLDEN = Path(__file__).parent
PAGES_SHOWN = (
    "sign_up_form",
    "checkout",
    "data_table",
    "search_results",
    "menus",
    "kanban_board",
    "shadow_components",
    "frames_srcdoc",
    "svg_icons",
    "forum_thread",
)


@pytest.mark.parametrize("name", PAGES_SHOWN)
async def test_the_snapshot_of_a_page_reads_as_it_did(name, browser, site_of_pages, request):
    tab = await browser.open(f"{site_of_pages}/open/{name}.html", isolated=True)
    try:
        text = re.sub(r"127\.0\.0\.1:\d+", "site", str(await tab.snapshot()))
    finally:
        await tab.close()
    text = renumbered(re.sub(r"tab=t\d+", "tab=t1", text)) + "\n"
    file = GOLDEN / f"{name}.txt"
    if request.config.getoption("--write-golden"):
        file.write_text(text)
    assert text == file.read_text()


def renumbered(text):
    """Refs from 1 on, whatever the browser did before."""
    refs = {}
    return re.sub(r"@e(\d+)", lambda match: f"@e{refs.setdefault(match.group(1), len(refs) + 1)}", text)


@pytest.fixture(scope="session")
def site_of_pages():
    import threading
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(PAGES)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
