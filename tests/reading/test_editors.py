"""Code editors draw only the lines in view: all of their text is read, or the reading says that it is a part."""

from __future__ import annotations

import pytest

from tests.support.npm import served_packages
from tests.support.thorough import THOROUGH

TEXT = "Array.from({length: 400}, (_, at) => `let line${at} = ${at};`).join('\\n')"
CODEMIRROR_5 = f"""<link rel=stylesheet href=/nm/codemirror5/lib/codemirror.css><h1>Pad</h1><div id=code></div>
<script src=/nm/codemirror5/lib/codemirror.js></script><script>CodeMirror(code, {{ value: {TEXT} }}); ready = true</script>"""
MODULES = ("@codemirror/view", "@codemirror/state")
SMALL_MODULES = {
    "style-mod": "src/style-mod.js",
    "w3c-keyname": "index.js",
    "crelt": "index.js",
    "@marijn/find-cluster-break": "src/index.js",
}
IMPORTS = ", ".join(
    [f'"{name}": "/nm/{name}/dist/index.js"' for name in MODULES]
    + [f'"{name}": "/nm/{name}/{path}"' for name, path in SMALL_MODULES.items()]
)
CODEMIRROR_6 = f"""<script type=importmap>{{"imports": {{{IMPORTS}}}}}</script><h1>Pad</h1><div id=code style="height:200px"></div>
<style>.cm-editor {{ height: 200px }} .cm-scroller {{ overflow: auto }}</style><script type=module>
  import {{ EditorView }} from '@codemirror/view';
  new EditorView({{ doc: {TEXT}, parent: code }}); globalThis.ready = true;
</script>"""
MONACO = f"""<h1>Pad</h1><div id=code style="width:800px;height:300px"></div><script src=/nm/monaco-editor/min/vs/loader.js></script><script>
  require.config({{ paths: {{ vs: '/nm/monaco-editor/min/vs' }} }});
  require(['vs/editor/editor.main'], () => {{ monaco.editor.create(code, {{ value: {TEXT} }}); ready = true }});
</script>"""
EDITORS = {
    "CodeMirror 5": (CODEMIRROR_5, "codemirror5@npm:codemirror@5", "codemirror5/lib/codemirror.js"),
    "CodeMirror 6": (CODEMIRROR_6, "@codemirror/view@6", "@codemirror/view/dist/index.js"),
    "Monaco": (MONACO, "monaco-editor@0.55", "monaco-editor/min/vs/loader.js"),
}


@pytest.fixture
def tab(lasting_tab):
    return lasting_tab


@pytest.mark.parametrize("name", EDITORS)
async def test_all_lines_of_an_editor_are_read_as_code(tab, site, monkeypatch, name):
    if name == "Monaco" and not THOROUGH:
        pytest.skip("a large package: make stress tests with it")
    page, package, file = EDITORS[name]
    served_packages(site, monkeypatch)(package, there=[file])
    await tab.goto(site.page(page))
    await tab.wait_for_function("globalThis.ready")
    reading = await tab.read(limit=100_000)
    assert reading.text.startswith("# Pad\n\n```\nlet line0 = 0;\nlet line1 = 1;\n")
    assert reading.text.endswith("let line399 = 399;\n```")


HOSTILE = {
    "no model": "",
    "a model that throws": "code.CodeMirror = { getValue() { throw Error('no') } }",
    "a model that returns no text": "code.CodeMirror = { getValue: () => ({ length: 5 }) }",
    "no way to look for it": "document.querySelectorAll = () => null",
}


@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE)
async def test_an_editor_without_a_readable_model_is_said_to_be_partial(tab, site, script):
    lines = "".join(f"<pre>let line{at} = {at};</pre>" for at in range(5))
    await tab.goto(
        site.page(f"<h1>Pad</h1><div id=code class=CodeMirror>{lines}</div><script>{script}</script>")
    )
    text = (await tab.read()).text
    assert "(this editor shows only a part of its text)" in text
    assert "let line4 = 4;" in text
