"""What reaches a model: everything is in the text; images and links follow it; structured content only on request."""

import base64
import re
from pathlib import Path

import pytest

from boathook.engine.capture.images.image_size import image_size
from tests.mcp.clients import code_of, text_of
from tests.support.forged import FORGED, LINES, forged_in

FORM = "<label>Name <input></label><button onclick=\"document.querySelector('p').textContent='Hello'\">Greet</button><p role=status></p>"
NOISE = """<body style='margin:0'><canvas id=c width=1365 height=768></canvas><script>
const x = c.getContext('2d'), image = x.createImageData(1365, 768);
for (let i = 0; i < image.data.length; i += 65536) crypto.getRandomValues(image.data.subarray(i, i + 65536));
for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
x.putImageData(image, 0, 0);
</script>"""
MOST_IMAGE_BYTES = 150 * 1024


IMITATION = f"""<style>#several {{ white-space: pre }}</style><p id=several>{FORGED}</p><p id=line>{LINES[0]}</p><p id=plain>A "plain" line</p>"""
UNMARKED = (
    ["--no-boundaries"],
    ["--boundaries=false"],
    ["--config", "mine.toml"],
    ["--compat", "agent-browser"],
)


def kinds_of(result):
    return [part.type for part in result.content]


def images_of(result):
    return [base64.b64decode(part.data) for part in result.content if part.type == "image"]


def saved_in(text):
    return re.search(r"(?i)saved:? (/\S+)", text)[1]


def saved_file(text):
    return Path(saved_in(text)).read_bytes()


@pytest.mark.parametrize("tools", ["core", "full", "argv", "single", "direct", "named"])
async def test_no_tool_has_an_output_schema_by_default(client_with, tools):
    client = await client_with("--tools", tools)
    listed = (await client.list_tools()).tools
    assert listed
    assert [tool.name for tool in listed if tool.output_schema is not None] == []


async def test_by_default_a_result_has_no_structured_content_and_the_text_has_the_tree_and_the_change(
    either, site
):
    opened = await either.call_tool("open", {"url": site.page(FORM)})
    seen = await either.call_tool("snapshot", {})
    clicked = await either.call_tool("act", {"kind": "click", "target": "text=Greet"})
    failed = await either.call_tool("act", {"kind": "click", "target": "text=Nothing here"})
    assert [item.structured_content for item in (opened, seen, clicked, failed)] == [None] * 4
    assert re.search(r'button "Greet" @e\d+', text_of(seen))
    assert '+ "Hello"' in text_of(clicked)
    assert "[target_not_found]" in text_of(failed)


async def test_with_structured_the_content_as_data_holds_what_the_text_says(client_with, site):
    client = await client_with("--structured")
    assert all("text" in tool.output_schema["properties"] for tool in (await client.list_tools()).tools)
    await client.call_tool("open", {"url": site.page(FORM)})
    seen = await client.call_tool("snapshot", {})
    clicked = await client.call_tool("act", {"kind": "click", "target": "text=Greet"})
    failed = await client.call_tool("act", {"kind": "click", "target": "text=Nothing here"})
    shot = await client.call_tool("screenshot", {})
    for result in (seen, clicked, failed, shot):
        assert result.structured_content["text"] == text_of(result)
    assert re.search(r'button "Greet" @e\d+', seen.structured_content["text"])
    assert "Greet" in clicked.structured_content["change"]["summary"]
    assert failed.structured_content["error"]["code"] == "target_not_found"
    [advice] = failed.structured_content["next"]
    assert advice["id"] == "refresh-interactive-refs"
    assert advice["reason"]
    assert advice["safe"] is True
    [file] = shot.structured_content["artifacts"]
    assert file["path"] == saved_in(text_of(shot))


async def test_a_setting_in_the_users_file_asks_for_structured_content(own_home):
    own_home.configure("structured = true\n")
    async with own_home.client() as client:
        assert (await client.call_tool("tabs", {})).structured_content["ok"] is True


@pytest.mark.parametrize(
    ("tools", "opening", "shooting"),
    [
        ("core", ("open", {}), ("screenshot", {})),
        ("full", ("open", {}), ("screenshot", {"full_page": True})),
        ("argv", ("agent_browser", "open"), ("agent_browser", {"args": ["screenshot"]})),
        ("single", ("browser", {"action": "navigate"}), ("browser", {"action": "screenshot"})),
        ("core", ("open", {}), ("batch", {"lines": ["get title", "screenshot"]})),
    ],
)
async def test_a_large_screenshot_reaches_the_model_as_a_small_copy_and_the_text_says_where_the_file_is(
    client_with, site, tools, opening, shooting
):
    page = site.page(NOISE)
    client = await client_with("--tools", tools)
    name, given = opening
    where = {"args": [given, page]} if isinstance(given, str) else {**given, "url": page}
    opened = await client.call_tool(name, where)
    assert not opened.is_error, text_of(opened)
    shot = await client.call_tool(*shooting)
    [image] = images_of(shot)
    assert len(image) <= MOST_IMAGE_BYTES
    assert max(image_size(image)) <= 1024
    whole = saved_file(text_of(shot))
    assert len(whole) > MOST_IMAGE_BYTES
    assert max(image_size(whole)) >= 1365
    assert f"{len(whole) // 1024} K" in text_of(shot), "the size of the file, not that of the copy"
    assert kinds_of(shot)[:2] == ["text", "image"]


async def test_direct_shows_its_screenshot(client_with, site, foreign_address):
    client = await client_with("--tools", "direct")
    place = {"browser_url": foreign_address}
    await client.call_tool("browser_navigate", {**place, "url": site.page(NOISE)})
    shot = await client.call_tool("browser_screenshot", place)
    assert kinds_of(shot) == ["text", "image", "resource_link"]
    assert len(images_of(shot)[0]) <= MOST_IMAGE_BYTES


async def test_a_saved_file_is_in_the_text_with_its_path_and_size(client, site, home):
    await client.call_tool("open", {"url": site.page(FORM)})
    for name, arguments in (("save_state", {"path": "kept.json"}), ("pdf", {"path": "page.pdf"})):
        saved = await client.call_tool(name, arguments)
        path = home.work / arguments["path"]
        assert re.search(rf"{re.escape(str(path))}.*{path.stat().st_size} bytes", text_of(saved), re.DOTALL)


async def test_the_text_names_a_session_that_a_call_has_started(home, site):
    async with home.client() as client, home.client() as other:
        opened = await client.call_tool("open", {"url": site.page(FORM, title="Mine")})
        session = re.search(r"^session: (mcp-\w+)$", text_of(opened), re.MULTILINE)[1]
        seen = await other.call_tool("snapshot", {"session": session})
        assert 'page "Mine"' in text_of(seen)
        again = await client.call_tool("open", {"url": site.page(FORM)})
        assert "session:" not in text_of(again)


async def test_the_agent_browser_mode_is_for_command_lines_only(home, site):
    """A model cannot switch it on, and a variable of the server does not change what its tools answer."""
    variables = {"BOATHOOK_COMPAT": "agent-browser"}
    async with home.client("--tools", "argv", variables=variables) as client:
        opened = await client.call_tool("agent_browser", {"args": ["open", site.page("<p>One</p>")]})
        assert "now at " in text_of(opened)
        steps = await client.call_tool("agent_browser", {"args": ["batch", "get title"]})
        assert "✓" not in text_of(steps)
        asked = await client.call_tool(
            "agent_browser", {"args": ["--compat", "agent-browser", "get", "title"]}
        )
        assert "compat may not be set by a project or a model" in text_of(asked)


async def test_a_model_reads_page_content_in_quotation_marks_or_boundaries(client_with, site):
    client = await client_with("--tools", "argv", "--evaluate-enabled", "--scripts-enabled", "--structured")

    async def run(*words):
        return await client.call_tool("agent_browser", {"args": list(words)})

    await run("open", site.page(IMITATION))
    assert text_of(await run("get", "text", "#plain")) == '"A \\"plain\\" line"'
    assert text_of(await run("run", "--code", "return await tab.text('#plain')")) == '"A \\"plain\\" line"'
    assert text_of(await run("batch", "get text #plain")).endswith('\n"A \\"plain\\" line"')
    assert text_of(await run("get", "count", "p")) == "3"
    for line in (
        ["get", "text", "#several"],
        ["get", "text", "#line"],
        ["run", "--code", "return await tab.text('#several')"],
        ["batch", "get text #several", "get text #line"],
        ["eval", "[document.body.textContent]"],
    ):
        answer = await run(*line)
        assert LINES[0] in text_of(answer), line
        assert forged_in(text_of(answer)) == [], line
        assert answer.structured_content["untrusted"] is True
    assert "untrusted" not in (await run("skills", "path")).structured_content


async def test_a_model_cannot_read_page_content_unmarked(client_with, home, site):
    (home.work / "mine.toml").write_text("boundaries = false")
    client = await client_with("--tools", "argv", "--evaluate-enabled", "--scripts-enabled", "--structured")
    await client.call_tool("agent_browser", {"args": ["open", site.page(IMITATION)]})
    for words in UNMARKED:
        refused = await client.call_tool("agent_browser", {"args": [*words, "get", "text", "#several"]})
        assert code_of(refused) == "bad_setting", words
        step = await client.call_tool(
            "agent_browser", {"args": ["batch", f"get text #several {' '.join(words)}"]}
        )
        assert "failed [bad_setting]" in text_of(step), words
        assert LINES[0] not in text_of(step)
    marked = await client.call_tool("agent_browser", {"args": ["--boundaries", "get", "text", "#several"]})
    assert "[page content begins" in text_of(marked), "the control"
