"""The server's process loads of the SDK what it needs, and answers like one that loads all of it."""

import json
import subprocess
import sys

LIGHT = "from boathook.surfaces.mcp.start.fast_import import light_sdk"
LISTED = """
import asyncio, json, sys
from boathook.surfaces.mcp.tool_catalog import read_tool_catalog
handlers = serving.McpHandlers(read_tool_catalog(["core"], scripts=False), None)
server = serving.server_of(handlers, instructions="x")
listed = asyncio.run(handlers.list_tools(None, None)).model_dump_json(by_alias=True, exclude_none=True)
from pydantic._internal._config import config_defaults
print(json.dumps([listed, "mcp.client" in sys.modules, config_defaults["defer_build"], sys.modules["gc"].isenabled()]))
"""


def run(load):
    done = subprocess.run(
        [sys.executable, "-c", f"import gc\n{load}\n{LISTED}"], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_both_ways_of_loading_answer_alike():
    light = run(
        f"{LIGHT}\nwith light_sdk(http=False):\n    from boathook.surfaces.mcp.start import server as serving"
    )
    whole = run("from boathook.surfaces.mcp.start import server as serving")
    assert light[0] == whole[0]
    assert light[1:] == [False, False, True], "nothing of clients, and all defaults as before"
    assert whole[1:] == [True, False, True], "the control: the SDK by itself loads its clients too"


def test_an_incomplete_installation_is_named_with_what_repairs_it():
    code = "import sys; sys.modules['mcp_types'] = None; from boathook.surfaces.mcp.main import main; sys.exit(main([]))"
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "mcp_types is missing" in done.stderr
    assert "pip install --force-reinstall boathook" in done.stderr


def test_an_sdk_of_another_shape_is_loaded_whole():
    code = """
import sys
from boathook.surfaces.mcp.start import fast_import as loading; from boathook.surfaces.mcp import main
loading._PACKAGES += ("mcp.shared.exceptions",)  # what is needed is not there, as if it had moved
serving = main._load_server(http=False)
print("mcp.client" in sys.modules, serving.server_of.__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "server_of"], done.stderr


def test_the_server_starts_without_the_engine():
    code = "import sys, boathook.surfaces.mcp.start.server; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "boathook.registry.registry" in loaded, "the positive control"
    assert {"boathook.engine.tab", "boathook.engine.browser", "boathook.cdp.connection"} & set(
        loaded
    ) == set()
