"""React as its users build it: the tree, one component, what waits, what renders; and pages without it."""

import pytest

from boathook.errors import BadRequest, PageError
from boathook.presentation.all_renderers import as_text
from tests.browser.actions.test_gallery import CACHE, PACKAGES
from tests.support.npm import npm_packages

APP = """<div id=root></div><script>
const h = React.createElement;
const Theme = React.createContext('light'); Theme.displayName = 'Theme';
function Counter({ label }) {
  const [count, setCount] = React.useState(7);
  const box = React.useRef(null);
  React.useEffect(() => {}, []);
  return h('button', { ref: box, id: 'count', onClick: () => setCount(count + 1) }, label + ' ' + count);
}
const Row = React.memo(function Row({ name }) { return h('li', null, name); });
class Old extends React.Component { constructor(props) { super(props); this.state = { open: true }; } render() { return h('i', null, 'old'); } }
const never = new Promise(() => {});
function Slow() { throw never; }
function List() { return h('ul', null, ['a', 'b', 'c'].map(name => h(Row, { key: name, name }))); }
function App() {
  return h(Theme.Provider, { value: 'dark' }, h(Counter, { label: 'Clicked' }), h(List), h(Old),
    h(React.Suspense, { fallback: 'wait' }, h(Slow)), h(React.Suspense, { fallback: 'wait' }, h('b', null, 'there')));
}
ReactDOM.createRoot(document.querySelector('#root')).render(h(App));
</script>"""


@pytest.fixture
async def app(tab, site):
    npm_packages(
        CACHE,
        *(package for package, _path in PACKAGES.values()),
        there=[f"node_modules/{path}" for _package, path in PACKAGES.values()],
    )
    scripts = "".join(
        f"<script>{(CACHE / 'node_modules' / PACKAGES[name][1]).read_text()}</script>"
        for name in ("react.js", "react-dom.js")
    )
    await tab.goto(site.page(scripts + APP))
    await tab.wait_for("#count", timeout=30)
    return tab


async def test_the_tree_names_components_and_keys(app):
    tree = await app.react_tree()
    names = [(node.depth, node.name) for node in tree.nodes]
    assert names[:4] == [(0, "App"), (1, "Theme"), (2, "Counter"), (2, "List")]
    assert [node.key for node in tree.nodes if node.name == "Row"] == ["a", "b", "c"]
    assert tree.count == len(tree.nodes)
    few = await app.react_tree(most=2)
    assert [one.name for one in few.nodes] == ["App", "Theme"]
    assert "more: use --depth or --most" in as_text(few)


async def test_a_component_has_props_state_and_an_element(app):
    tree = {node.name: node.id for node in (await app.react_tree()).nodes}
    counter = await app.react_inspect(tree["Counter"])
    assert (counter.props, counter.state, counter.element) == (
        {"label": "Clicked"},
        [7, "<button#count>"],
        "button#count",
    )
    assert counter.parents == ("Theme", "App")
    assert (await app.react_inspect(tree["Old"])).state == [{"open": True}]
    assert "props" in as_text(counter)
    with pytest.raises(BadRequest, match="no such component: 999"):
        await app.react_inspect(999)


async def test_boundaries_that_wait_are_told(app):
    assert [item.waiting for item in await app.react_suspense()] == [True, False]
    assert [item.waiting for item in await app.react_suspense(only_waiting=True)] == [True]


async def test_what_renders_is_counted(app):
    with pytest.raises(BadRequest, match="not being counted"):
        await app.react_renders_stop()
    assert "reloaded" in await app.react_renders_start()
    await app.wait_for("#count", timeout=30)
    first = {component.name: component for component in (await app.react_renders_stop()).components}
    assert first["App"].mounts == 1
    assert first["Row"].renders == 3
    assert await app.react_renders_start() == "counting renders"
    await app.click("#count")
    told = await app.react_renders_stop()
    assert [(component.name, component.renders, component.mounts) for component in told.components] == [
        ("Counter", 1, 0)
    ]
    assert "1 Counter" in as_text(told)


async def test_a_page_without_react_says_so(tab, site):
    await tab.goto(site.page("<p>plain</p>"))
    with pytest.raises(PageError, match="React not found"):
        await tab.react_tree()
