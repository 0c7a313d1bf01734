"""Pages with sliders of public libraries and native ones, filled with a value."""

from __future__ import annotations

from tests.browser.widgets.widget import ANTD, ANTD_PAGE, REACT, SHOELACE, Widget

RANGE = Widget(
    name="native range in steps",
    packages=(),
    page="<label>Volume <input id=s type=range min=0 max=50 step=5 value=10 oninput='heard = this.value'></label>",
    action="fill",
    target="label=Volume",
    value="35",
    model="s.value + heard",
    expected="3535",
)
NOUISLIDER_PAGE = (
    "<link rel=stylesheet href=/nm/nouislider/dist/nouislider.css><script src=/nm/nouislider/dist/nouislider.js></script>"
    "<div id=s style='margin:60px;width:300px'></div>"
)
NOUISLIDER = Widget(
    name="nouislider",
    packages=("nouislider@15",),
    page=f"{NOUISLIDER_PAGE}<script>noUiSlider.create(s, {{ start: 20, step: 1, range: {{ min: 0, max: 200 }} }})</script>",
    action="fill",
    target="role=slider",
    value="137",
    model="s.noUiSlider.get()",
    expected="137.00",
)
NOUISLIDER_RANGE = Widget(
    name="nouislider, the upper of two handles, without steps",
    packages=("nouislider@15",),
    page=f"{NOUISLIDER_PAGE}<script>noUiSlider.create(s, {{ start: [200, 900], connect: true, range: {{ min: 0, max: 3000 }} }})</script>",
    action="fill",
    target="role=slider",
    nth=1,
    value="2400",
    model="s.noUiSlider.get().join()",
    expected="200.00,2400.00",
)
NOUISLIDER_UPRIGHT = Widget(
    name="nouislider, upright",
    packages=("nouislider@15",),
    page=f"{NOUISLIDER_PAGE}<script>s.style.height = '200px'; noUiSlider.create(s, {{ start: 20, step: 5, orientation: 'vertical', range: {{ min: 0, max: 100 }} }})</script>",
    action="fill",
    target="role=slider",
    value="75",
    model="s.noUiSlider.get()",
    expected="75.00",
)
MUI = Widget(
    name="mui slider",
    packages=("react@18", "react-dom@18", "@mui/material@5"),
    page=f"{REACT}<script src=/nm/@mui/material/umd/material-ui.production.min.js></script><script>const M = MaterialUI, h = React.createElement;"
    "ReactDOM.createRoot(root).render(h('div', { style: { width: 300, margin: 40 } }, h(M.Slider, { 'aria-label': 'Volume', defaultValue: 30, onChange: (_, value) => chosen = value })))</script>",
    action="fill",
    target="role=slider",
    value="72",
    model="chosen",
    expected=72,
)
MUI_RANGE = Widget(
    name="mui slider with two thumbs",
    packages=("react@18", "react-dom@18", "@mui/material@5"),
    page=f"{REACT}<script src=/nm/@mui/material/umd/material-ui.production.min.js></script><script>const M = MaterialUI, h = React.createElement;"
    "ReactDOM.createRoot(root).render(h('div', { style: { width: 300, margin: 40 } }, h(M.Slider, { defaultValue: [20, 60], onChange: (_, value) => chosen = value.join() })))</script>",
    action="fill",
    target="role=slider",
    nth=1,
    value="85",
    model="chosen",
    expected="20,85",
)
ANTD_SLIDER = Widget(
    name="antd slider",
    packages=ANTD,
    page=f"{ANTD_PAGE}<script>ReactDOM.createRoot(root).render(React.createElement('div', {{ style: {{ width: 300, margin: 40 }} }},"
    "React.createElement(antd.Slider, { defaultValue: 30, max: 1000, onChange: value => chosen = value })))</script>",
    action="fill",
    target="role=slider",
    value="640",
    model="chosen",
    expected=640,
)
SHOELACE_RANGE = Widget(
    name="shoelace range",
    packages=("@shoelace-style/shoelace@2.20.1",),
    page=f"{SHOELACE}<sl-range id=s label=Volume min=0 max=100 value=10></sl-range>",
    action="fill",
    target="role=slider",
    value="40",
    model="s.value",
    expected=40,
)

LIGHT = (RANGE, NOUISLIDER)
LARGE = (NOUISLIDER_RANGE, NOUISLIDER_UPRIGHT, MUI, MUI_RANGE, ANTD_SLIDER, SHOELACE_RANGE)
