"""Widgets of public libraries, from their packages: what is reported is what the library did."""

import pytest

from tests.support.npm import served_packages
from tests.support.thorough import THOROUGH

TODO_LIST = """<ul id=list></ul><script src=/nm/jquery/dist/jquery.js></script><script src=/nm/underscore/underscore.js></script>
<script src=/nm/backbone/backbone.js></script><script>
  const Item = Backbone.View.extend({
    tagName: 'li', events: { 'click .toggle': 'toggle' },
    initialize() { this.listenTo(this.model, 'change', this.render) },
    toggle() { this.model.set('done', !this.model.get('done')) },
    render() {
      const checked = this.model.get('done') ? 'checked' : '';
      this.$el.html(`<input class=toggle type=checkbox ${checked}><label>${this.model.get('title')}</label>`);
      return this;
    },
  });
  models = ['one', 'two', 'three'].map(title => new Backbone.Model({ title, done: false }));
  for (const model of models) $('#list').append(new Item({ model }).render().el);
</script>"""
BLOCKS = """<script src=/nm/blockly/blockly_compressed.js></script><script src=/nm/blockly/blocks_compressed.js></script>
<script src=/nm/blockly/msg/en.js></script><div id=area style="width:800px;height:500px"></div><script>
  workspace = Blockly.inject('area', { media: '/nm/blockly/media/', sounds: false,
    toolbox: { kind: 'flyoutToolbox', contents: [{ kind: 'block', type: 'text_print' }] } });
</script>"""
CODE = """<div id=code style="width:800px;height:300px"></div><script src=/nm/monaco-editor/min/vs/loader.js></script><script>
  require.config({ paths: { vs: '/nm/monaco-editor/min/vs' } });
  require(['vs/editor/editor.main'], () => { editor = monaco.editor.create(code,
    { value: 'function f(a, b) {\\n  return a - b;\\n}\\n', language: 'javascript' }) });
</script>"""


@pytest.fixture
def packages(site, monkeypatch):
    return served_packages(site, monkeypatch)


async def test_a_todo_item_that_backbone_renders_again_is_checked(tab, site, packages):
    packages(
        "jquery@3", "underscore@1", "backbone@1", there=["backbone/backbone.js", "jquery/dist/jquery.js"]
    )
    await tab.goto(site.page(TODO_LIST))
    assert (await tab.check("role=checkbox", nth=1)).value is True
    assert await tab.evaluate("models.map(model => model.get('done'))") == [False, True, False]


needs_large_packages = pytest.mark.skipif(not THOROUGH, reason="large packages: make stress tests with them")


@needs_large_packages
async def test_a_block_is_dragged_out_of_the_toolbox_of_blockly(tab, site, packages):
    packages("blockly@12", there=["blockly/blockly_compressed.js"])
    await tab.goto(site.page(BLOCKS))
    await tab.drag("text=print", offset=(300, 50))
    assert await tab.evaluate("workspace.getAllBlocks().length") == 1


@needs_large_packages
async def test_a_line_of_code_in_monaco_is_clicked(tab, site, packages):
    packages("monaco-editor@0.55", there=["monaco-editor/min/vs/loader.js"])
    await tab.goto(site.page(CODE))
    # Once more after its words have been coloured, lines are drawn again.
    await tab.wait_for_function("document.querySelector('.view-line span.mtk6')")
    await tab.click("text=return a - b;")
    assert await tab.evaluate("editor.getPosition().lineNumber") == 2
