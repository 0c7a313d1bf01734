// Runs in the page's main world, where code editors store their text: [numbers of the editors in the document, most characters].
// Each text, or null if the editor's model cannot be reached.

((numbers, limit) => {
  const codeMirrorView = (el) => {
    const content = el.querySelector('.cm-content');
    const tile = content && (content.cmTile || content.cmView);
    return tile && ((tile.root && tile.root.view) || (tile.rootView && tile.rootView.view) || tile.view);
  };
  const monacoModel = (el) => {
    const api = globalThis.monaco && globalThis.monaco.editor;
    const editor = api && api.getEditors().find((one) => one.getDomNode() === el);
    return editor && editor.getModel();
  };
  const textOf = (el) => {
    if (el.CodeMirror) return el.CodeMirror.getValue();
    const view = codeMirrorView(el);
    if (view) return view.state.doc.toString();
    const model = monacoModel(el);
    return model ? model.getValue() : null;
  };
  const editors = document.querySelectorAll('.monaco-editor, .CodeMirror, .cm-editor');
  return numbers.map((number) => {
    try {
      const text = textOf(editors[number]);
      return typeof text === 'string' ? text.slice(0, limit) : null;
    } catch {
      return null;
    }
  });
})
