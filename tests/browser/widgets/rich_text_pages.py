"""Pages with rich text and code editors of public libraries: several lines, proven by the editor's own model."""

from __future__ import annotations

from dataclasses import replace

from tests.browser.widgets.widget import Widget

LINES = "one (1)\nTwo & three\n\nfour"
"""With a blank line; a bracket, which code editors complete; a capital letter."""
CODE = "function f(a) {\n  return [a];\n}\n\nf('1')"
FIRST = {LINES: "one (1)", CODE: "function f(a) {"}
HTML = "<p>one (1)</p><p>Two &amp; three</p><p>&nbsp;</p><p>four</p>"


def _both(widget, *, old):
    """The editor filled, and the same text typed after what it holds."""
    typed = widget.expected.replace(FIRST[widget.value], f"{old}{FIRST[widget.value]}", 1)
    return (
        replace(widget, name=f"{widget.name}: fill", action="fill", holds=widget.value),
        replace(widget, name=f"{widget.name}: type", action="type", expected=typed, holds=old + widget.value),
    )


QUILL = _both(
    Widget(
        name="quill",
        packages=("quill@2",),
        page="<link rel=stylesheet href=/nm/quill/dist/quill.snow.css><script src=/nm/quill/dist/quill.js></script><div id=box><p>old</p></div>"
        "<script>editor = new Quill(box, { theme: 'snow' })</script>",
        action="fill",
        target=".ql-editor",
        value=LINES,
        model="editor.getText()",
        expected=f"{LINES}\n",
    ),
    old="old",
)
TRIX = _both(
    Widget(
        name="trix",
        packages=("trix@2",),
        page="<link rel=stylesheet href=/nm/trix/dist/trix.css><script src=/nm/trix/dist/trix.umd.min.js></script>"
        "<input id=x type=hidden value='<div>old</div>'><trix-editor id=e input=x></trix-editor>",
        action="fill",
        target="trix-editor",
        value=LINES,
        model="e.editor.getDocument().toString()",
        expected=f"{LINES}\n",
    ),
    old="old",
)
TINYMCE = _both(
    Widget(
        name="tinymce, in its frame",
        packages=("tinymce@7",),
        page="<textarea id=t>&lt;p&gt;old&lt;/p&gt;</textarea><script src=/nm/tinymce/tinymce.min.js></script>"
        "<script>tinymce.init({ selector: '#t', license_key: 'gpl', promotion: false })</script>",
        action="fill",
        target="#tinymce",
        ready="tinymce.activeEditor?.initialized === true",
        value=LINES,
        model="tinymce.activeEditor.getContent().replaceAll('\\n', '')",
        expected=HTML,
    ),
    old="old",
)
CKEDITOR = _both(
    Widget(
        name="ckeditor 5",
        packages=("@ckeditor/ckeditor5-build-classic@41",),
        page="<div id=box><p>old</p></div><script src=/nm/@ckeditor/ckeditor5-build-classic/build/ckeditor.js></script>"
        "<script>ClassicEditor.create(box).then(made => { editor = made })</script>",
        action="fill",
        target=".ck-editor__editable",
        value=LINES,
        model="editor.getData()",
        expected=HTML,
    ),
    old="old",
)
PROSEMIRROR = _both(
    Widget(
        name="prosemirror",
        packages=(
            "prosemirror-state@1", "prosemirror-view@1", "prosemirror-schema-basic@1", "prosemirror-keymap@1", "prosemirror-commands@1",
            "prosemirror-history@1", "prosemirror-model@1", "esbuild@0.25",
        ),
        page="<div id=box></div><script src=bundle.js></script>",
        bundle="import { EditorState } from 'prosemirror-state'; import { EditorView } from 'prosemirror-view'; import { schema } from 'prosemirror-schema-basic';"
        "import { keymap } from 'prosemirror-keymap'; import { baseKeymap } from 'prosemirror-commands'; import { history } from 'prosemirror-history';"
        "const doc = schema.node('doc', null, [schema.node('paragraph', null, schema.text('old'))]);"
        "window.view = new EditorView(document.querySelector('#box'), { state: EditorState.create({ doc, plugins: [history(), keymap(baseKeymap)] }) })",
        action="fill",
        target=".ProseMirror",
        value=LINES,
        model="view.state.doc.content.content.map(block => block.textContent).join('\\n')",
        expected=LINES,
    ),
    old="old",
)  # fmt: skip
LEXICAL = _both(
    Widget(
        name="lexical",
        packages=("lexical@0.21.0", "@lexical/rich-text@0.21.0", "esbuild@0.25"),
        page="<div id=box contenteditable=true role=textbox aria-label=Text></div><script src=bundle.js></script>",
        bundle="import { createEditor, $getRoot, $createParagraphNode, $createTextNode } from 'lexical'; import { registerRichText } from '@lexical/rich-text';"
        "const editor = createEditor({ namespace: 'x', onError: error => { throw error } }); editor.setRootElement(document.querySelector('#box')); registerRichText(editor);"
        "editor.update(() => $getRoot().append($createParagraphNode().append($createTextNode('old'))));"
        "window.held = () => editor.getEditorState().read(() => $getRoot().getChildren().map(block => block.getTextContent()).join('\\n'))",
        action="fill",
        target="role=textbox",
        value=LINES,
        model="held()",
        expected=LINES,
    ),
    old="old",
)
CODEMIRROR6 = _both(
    Widget(
        name="codemirror 6",
        packages=("@codemirror/view@6", "@codemirror/state@6", "@codemirror/commands@6", "@codemirror/autocomplete@6", "@codemirror/language@6",
                  "@codemirror/lang-javascript@6", "esbuild@0.25"),
        page="<div id=box></div><script src=bundle.js></script>",
        bundle="import { EditorView, keymap, lineNumbers } from '@codemirror/view'; import { EditorState } from '@codemirror/state';"
        "import { defaultKeymap, history } from '@codemirror/commands'; import { indentOnInput } from '@codemirror/language'; import { closeBrackets } from '@codemirror/autocomplete';"
        "import { javascript } from '@codemirror/lang-javascript';"
        "window.view = new EditorView({ doc: '// old', parent: document.querySelector('#box'),"
        "extensions: [lineNumbers(), history(), indentOnInput(), closeBrackets(), javascript(), keymap.of(defaultKeymap)] })",
        action="fill",
        target=".cm-content",
        value=CODE,
        model="view.state.doc.toString()",
        expected=CODE,
    ),
    old="// old",
)  # fmt: skip
CODEMIRROR5 = _both(
    Widget(
        name="codemirror 5",
        packages=("codemirror@5",),
        page="<link rel=stylesheet href=/nm/codemirror/lib/codemirror.css><script src=/nm/codemirror/lib/codemirror.js></script>"
        "<script src=/nm/codemirror/mode/javascript/javascript.js></script><script src=/nm/codemirror/addon/edit/closebrackets.js></script><div id=box></div>"
        "<script>editor = CodeMirror(box, { value: '// old', lineNumbers: true, mode: 'javascript', autoCloseBrackets: true })</script>",
        action="fill",
        target=".CodeMirror textarea",
        value=CODE,
        model="editor.getValue()",
        expected=CODE,
    ),
    old="// old",
)
MONACO = _both(
    Widget(
        name="monaco",
        packages=("monaco-editor@0.55",),
        page="<div id=code style='width:800px;height:300px'></div><script src=/nm/monaco-editor/min/vs/loader.js></script><script>"
        "require.config({ paths: { vs: '/nm/monaco-editor/min/vs' } }); require(['vs/editor/editor.main'], () => {"
        "editor = monaco.editor.create(code, { value: '// old', language: 'javascript' }) })</script>",
        action="fill",
        target=".monaco-editor textarea, .monaco-editor .native-edit-context",
        value=CODE,
        model="editor.getValue()",
        expected=CODE,
    ),
    old="// old",
)

LIGHT = (QUILL[0], *TRIX, CODEMIRROR5[0])
LARGE = (QUILL[1], CODEMIRROR5[1], *TINYMCE, *CKEDITOR, *PROSEMIRROR, *LEXICAL, *CODEMIRROR6, *MONACO)
