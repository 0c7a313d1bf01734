"""Source lookup: from elements, errors and failed requests to files and lines, and never out of the folder."""

import subprocess

import pytest
from examples.ticket_desk.demo import served

from boathook.engine.sources.page_evidence import is_library, parse_stack
from boathook.engine.sources.workspace import Workspace
from boathook.errors import BadRequest
from tests.browser.actions.test_gallery import CACHE
from tests.support.engine import engine_of
from tests.support.npm import npm_packages
from tests.support.waiting import until

COUNTER = "import React from 'react';\n\nexport function Counter() {\n  return <button data-testid=\"count-up\" />;\n}\n"
CODE = "function boom(){throw new Error('out of ink')}setTimeout(boom,0);fetch('/api/orders');"
MAP = '{"version": 3, "sources": ["src/app.ts"], "names": [], "mappings": "AAAA,gBAEE,8BAGF,mBAEA"}'
PACKAGES = {
    "react": ("react@18.3.1", "react/umd/react.development.js"),
    "react-dom": ("react-dom@18.3.1", "react-dom/umd/react-dom.development.js"),
    "vue": ("vue@3.5.13", "vue/dist/vue.global.js"),
}


@pytest.fixture
def folder(tmp_path):
    """A project: its source files, what is made from them, and links that lead out of it."""
    project = tmp_path / "project"
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.ts").write_text("export function Outside() {}")
    for name, text in {
        "src/components/Counter.tsx": COUNTER,
        "src/Card.vue": "<template><b/></template>\n",
        "src/app.ts": "\n".join(f"// line {number}" for number in range(1, 9)) + "\nfetch('/api/orders');\n",
        "node_modules/lib/Counter.js": COUNTER,
        "dist/Counter.js": COUNTER,
        ".git/Counter.js": COUNTER,
        "mapped.js": f"{CODE}\n//# sourceMappingURL=mapped.js.map",
        "mapped.js.map": MAP,
        "index.html": "<title>App</title><script src=mapped.js></script>",
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    (project / "src/linked").symlink_to(outside)
    (project / "src/linked.ts").symlink_to(outside / "secret.ts")
    return project


def places(found):
    return [(one.source, one.confidence, one.file, one.line) for one in found.candidates]


async def test_attributes_count_if_the_folder_has_their_file(tab, site, folder):
    await tab.goto(
        site.page(
            "<div data-source-file=src/components/Counter.tsx data-source-line=4 data-source-column=10><b id=in>x</b></div>"
            "<i data-file=/app/src/components/Counter.tsx:3:17>x</i><u data-source=src/components/Counter.tsx:99>x</u>"
            "<s data-file=/etc/passwd:1>x</s><q data-file=src/linked.ts>x</q><em data-file=src/linked/secret.ts>x</em>"
        )
    )
    name = "src/components/Counter.tsx"
    around = await tab.source_lookup("#in", root=folder)
    assert places(around) == [("dom-attribute", "medium", name, 4)]
    assert around.candidates[0].column == 10
    assert places(await tab.source_lookup("i", root=folder)) == [("dom-attribute", "high", name, 3)]
    assert places(await tab.source_lookup("u", root=folder)) == [("dom-attribute", "medium", name, None)]
    for outside in ("s", "q", "em"):
        [candidate] = (await tab.source_lookup(outside, root=folder)).candidates
        assert (candidate.confidence, candidate.file) == ("low", None), outside
        assert "no such file in the folder" in candidate.evidence
    without = await tab.source_lookup("i", root=folder, dom_hints=False)
    assert (without.status, without.candidates) == ("no-candidates", ())


async def test_a_component_is_found_by_its_definition_and_an_element_by_its_marks(tab, site, folder):
    await tab.goto(site.page("<button data-testid=count-up>+</button>"))
    named = await tab.source_lookup(component="Counter", root=folder)
    assert places(named) == [("workspace-search", "medium", "src/components/Counter.tsx", 3)]
    marked = await tab.source_lookup("button", root=folder)
    assert places(marked) == [("workspace-search", "low", "src/components/Counter.tsx", 4)]
    assert (await tab.source_lookup(component="Outside", root=folder)).status == "no-candidates"
    missing = await tab.source_lookup("#none", root=folder, timeout=1)
    assert (missing.status, "nothing on the page" in missing.notes[0]) == ("no-candidates", True)
    assert (await tab.source_lookup(component_id=1, root=folder)).status == "unsupported"
    with pytest.raises(BadRequest, match="needs an element or a component"):
        await tab.source_lookup(root=folder)


async def test_a_page_that_lies_about_its_source_is_answered_in_time(tab, site, folder):
    await tab.goto(site.page("<b id=loop>x</b><i data-file='<script>'>y</i>"))
    await tab.evaluate(
        "const fiber = {type: 'b'}; fiber.return = fiber; document.querySelector('#loop').__reactFiber$x = fiber;"
        "document.querySelector('i').__vueParentComponent = {get type() { throw new Error('no') }}; 1"
    )
    assert (await tab.source_lookup("#loop", root=folder, timeout=5)).status == "no-candidates"
    thrown = await tab.source_lookup("i", root=folder, timeout=5)
    assert (thrown.status, "the script failed" in thrown.notes[0]) == ("no-candidates", True)


async def test_what_svelte_and_react_19_note_is_used(tab, site, folder):
    await tab.goto(site.page("<p id=s>x</p><b id=r>y</b>"))
    await tab.evaluate(
        "document.querySelector('#s').__svelte_meta = {loc: {file: 'src/Card.vue', line: 1, column: 0}};"
        "document.querySelector('#r').__reactFiber$x = {type: 'b', _debugStack: {stack: 'Error: react-stack-top-frame\\n"
        "    at exports.jsxDEV (http://x/node_modules/react/jsx-dev-runtime.js:1:1)\\n"
        "    at Counter (http://x/src/components/Counter.tsx?t=1:4:10)\\n    at react-dom.development.js:5:6'}}; 1"
    )
    assert places(await tab.source_lookup("#s", root=folder)) == [("svelte", "high", "src/Card.vue", 1)]
    assert places(await tab.source_lookup("#r", root=folder)) == [
        ("react-inspect", "high", "src/components/Counter.tsx", 4)
    ]


@pytest.fixture
def development(folder):
    """The folder as a server shows it, with development builds of frameworks."""
    npm_packages(
        CACHE / "development",
        *(package for package, _path in PACKAGES.values()),
        there=[f"node_modules/{path}" for _package, path in PACKAGES.values()],
    )
    for name, (_package, path) in PACKAGES.items():
        (folder / f"node_modules/{name}.js").write_bytes(
            (CACHE / "development/node_modules" / path).read_bytes()
        )
    with served(folder) as origin:
        yield origin


def scripts(*names, body):
    loaded = "".join(f"<script src=node_modules/{name}.js></script>" for name in names)
    return f"<meta charset=utf-8>{loaded}<div id=root></div><script>{body}</script>"


async def test_the_development_build_of_react_leads_to_the_line(tab, folder, development):
    source = "{fileName: '/home/me/app/src/components/Counter.tsx', lineNumber: 4, columnNumber: 10}"
    page = scripts(
        "react",
        "react-dom",
        body=f"function Counter() {{ return React.createElement('button', {{id: 'b', __source: {source}}}, 'up') }}"
        "ReactDOM.createRoot(document.querySelector('#root')).render(React.createElement(Counter))",
    )
    (folder / "index.html").write_text(page)
    await tab.goto(f"{development}/index.html")
    await tab.wait_for("#b")
    found = await tab.source_lookup("#b", root=folder)
    assert places(found)[0] == ("react-inspect", "high", "src/components/Counter.tsx", 4)
    assert found.candidates[0].evidence == ("_debugSource of button",)
    [counter] = [node.id for node in (await tab.react_tree()).nodes if node.name == "Counter"]
    by_id = await tab.source_lookup(component_id=counter, root=folder)
    assert ("workspace-search", "low", "src/components/Counter.tsx", 3) in places(by_id)


async def test_the_development_build_of_vue_leads_to_the_file(tab, folder, development):
    page = scripts(
        "vue",
        body="const Card = {name: 'Card', __file: '/home/me/app/src/Card.vue', template: '<b id=card>card</b>'};"
        "Vue.createApp({components: {Card}, template: '<p><Card/></p>'}).mount('#root')",
    )
    (folder / "index.html").write_text(page)
    await tab.goto(f"{development}/index.html")
    await tab.wait_for("#card")
    found = await tab.source_lookup("#card", root=folder)
    assert places(found)[0] == ("vue", "high", "src/Card.vue", None)
    assert found.candidates[0].component == "Card"


BUILD = """
import { build } from "esbuild";
import { compile } from "svelte/compiler";
import { readFileSync, writeFileSync } from "node:fs";
const common = { bundle: true, sourcemap: true, conditions: ["browser", "development"], define: { "process.env.NODE_ENV": '"development"' } };
await build({ ...common, entryPoints: ["src/main.jsx"], jsx: "automatic", jsxDev: true, outfile: "dist/react.js" });
const { js } = compile(readFileSync("src/Card.svelte", "utf8"), { dev: true, filename: "src/Card.svelte" });
writeFileSync("dist/Card.js", js.code);
writeFileSync("dist/start.js", "import { mount } from 'svelte'; import Card from './Card.js'; mount(Card, { target: document.body });");
await build({ ...common, entryPoints: ["dist/start.js"], outfile: "dist/svelte.js" });
"""
BUNDLED = {
    "src/Up.jsx": "export function Up() {\n  const fail = () => {\n    fetch('/api/none');\n    throw new Error('no more');\n"
    "  };\n  return (\n    <button id='up' onClick={fail}>up</button>\n  );\n}\n",
    "src/main.jsx": "import { createRoot } from 'react-dom/client';\nimport { Up } from './Up.jsx';\n"
    "createRoot(document.querySelector('#root')).render(<Up />);\n",
    "src/Card.svelte": "<main>\n  <b id='card'>card</b>\n</main>\n",
    "react.html": "<meta charset=utf-8><div id=root></div><script src=dist/react.js></script>",
    "svelte.html": "<meta charset=utf-8><body><script src=dist/svelte.js></script>",
    "build.mjs": BUILD,
}


@pytest.fixture
def bundled(tmp_path):
    """A project that a bundler has built for development: React 19 with source maps, and Svelte 5."""
    home = CACHE / "bundled"
    there = ("react", "react-dom", "svelte", "esbuild", "@esbuild")
    npm_packages(
        home, "react@19.1.1", "react-dom@19.1.1", "svelte@5.38.6", "esbuild@0.25.9",
        there=[f"node_modules/{name}" for name in there],
    )  # fmt: skip
    (tmp_path / "src").mkdir()
    for name, text in BUNDLED.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "node_modules").symlink_to(home / "node_modules")
    built = subprocess.run(["node", "build.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    with served(tmp_path) as origin:
        yield tmp_path, origin


async def test_in_a_bundle_elements_errors_and_requests_lead_to_the_lines_that_a_person_wrote(tab, bundled):
    folder, origin = bundled
    await tab.goto(f"{origin}/react.html")
    await tab.wait_for("#up")
    button = await tab.source_lookup("#up", root=folder)
    assert places(button)[0] == ("react-inspect", "high", "src/Up.jsx", 7)
    await tab.click("#up")
    engine = engine_of(tab)
    await until(lambda: engine.network.problems_since(0), named="the failed request")
    assert places(await tab.source_errors(root=folder))[0] == ("stack", "high", "src/Up.jsx", 4)
    assert places(await tab.source_requests("/api/", root=folder))[0] == (
        "initiator",
        "medium",
        "src/Up.jsx",
        3,
    )
    await tab.goto(f"{origin}/svelte.html")
    await tab.wait_for("#card")
    assert places(await tab.source_lookup("#card", root=folder))[0] == (
        "svelte",
        "high",
        "src/Card.svelte",
        2,
    )


async def test_errors_and_failed_requests_lead_through_source_maps_to_the_line(tab, folder):
    with served(folder) as origin:
        await tab.goto(f"{origin}/index.html")
        engine = engine_of(tab)
        await until(
            lambda: engine.console.errors_since(0) and engine.network.problems_since(0),
            named="the error and the request",
        )
        errors = await tab.source_errors(root=folder)
        requests = await tab.source_requests("/api/", root=folder)
        assert places(errors)[0] == ("stack", "high", "src/app.ts", 3)
        assert errors.errors == ("Error: out of ink",)
        assert requests.status == "failed-requests-found"
        assert [request.status for request in requests.requests] == [404]
        assert ("initiator", "medium", "src/app.ts", 8) in places(requests)
        assert ("workspace-search", "low", "src/app.ts", 9) in places(requests)
        none = await tab.source_requests("/nothing/", root=folder)
        assert (none.status, none.candidates) == ("no-failed-requests", ())
        await tab.goto("about:blank")
        assert (await tab.source_errors(since=engine.event_log.now, root=folder)).status == "no-errors"


def test_the_files_of_a_folder_are_listed_within_limits_and_never_through_links(folder):
    every = Workspace.scan(folder, most_files=5_000)
    assert set(every.files) == {
        "src/components/Counter.tsx", "src/Card.vue", "src/app.ts", "mapped.js", "index.html",
    }  # fmt: skip
    assert not every.cut
    assert Workspace.scan(folder, most_files=2).cut
    (folder / "src/app.ts").unlink()
    (folder / "src/app.ts").symlink_to(folder.parent / "outside/secret.ts")
    assert every.read("src/app.ts") == "", "a file that has become a link since is not followed"
    assert Workspace.scan(folder / "none", most_files=9).files == ()


@pytest.mark.parametrize(
    ("reported", "file"),
    [
        ("webpack:///./src/app.ts", "src/app.ts"),
        ("webpack-internal:///(app-pages-browser)/./src/app.ts", "src/app.ts"),
        ("http://localhost:5173/src/app.ts?t=17#x", "src/app.ts"),
        ("http://localhost:5173/@fs/home/me/app/src/app.ts", "src/app.ts"),
        ("C:\\app\\src\\app.ts", "src/app.ts"),
        ("../../src/app.ts", "src/app.ts"),
        ("components/Counter.tsx", "src/components/Counter.tsx"),
        ("http://localhost/Counter.tsx", "src/components/Counter.tsx"),
        ("webpack:///./node_modules/lib/src/app.ts", None),
        ("/etc/passwd", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_a_file_is_found_whatever_the_bundler_calls_it(folder, reported, file):
    assert Workspace.scan(folder, most_files=100).find(reported) == file


def test_a_stack_is_read_and_frames_of_frameworks_are_known():
    stack = "Error\n    at f (http://x/node_modules/a.js:1:2)\n    at http://x/src/a.js:3:4\n    at async g (http://x/b.js:5:6)"
    frames = parse_stack(stack)
    assert [(frame.function, frame.line, frame.column) for frame in frames] == [
        ("f", 1, 2),
        ("", 3, 4),
        ("async g", 5, 6),
    ]
    assert [is_library(frame.url) for frame in frames] == [True, False, False]


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_only_folders_that_may_be_read_are_searched_also_without_a_name(program, site):
    (program.work / "Here.tsx").write_text("export function Here() {}")
    program("open", site.page("x"))
    assert "Here.tsx:1" in program("source", "lookup", "--component", "Here").stdout
    refused = program("--upload-roots", "/var", "source", "lookup", "--component", "Here")
    assert "outside the folders that may be read from" in refused.stderr
