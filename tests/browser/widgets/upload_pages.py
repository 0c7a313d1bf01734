"""Pages with drop zones of public libraries; `value` is the name of the uploaded file."""

from __future__ import annotations

from tests.browser.widgets.widget import ANTD, ANTD_PAGE, Widget

DROPZONE = Widget(
    name="dropzone",
    packages=("dropzone@6.0.0-beta.2",),
    page="<link rel=stylesheet href=/nm/dropzone/dist/dropzone.css><script src=/nm/dropzone/dist/dropzone-min.js></script>"
    "<form id=zone class=dropzone action=/kept></form><script>Dropzone.autoDiscover = false; zone = new Dropzone('#zone', { autoProcessQueue: false })</script>",
    action="upload",
    target="#zone",
    value="report.txt",
    model="zone.files.map(file => file.name + file.size).join()",
    expected="report.txt5",
)
DROPZONE_ONLY = Widget(
    name="dropzone that opens no file chooser",
    packages=("dropzone@6.0.0-beta.2",),
    page="<link rel=stylesheet href=/nm/dropzone/dist/dropzone.css><script src=/nm/dropzone/dist/dropzone-min.js></script>"
    "<div id=zone class=dropzone></div><script>Dropzone.autoDiscover = false; zone = new Dropzone('#zone', { url: '/kept', clickable: false, autoProcessQueue: false })</script>",
    action="upload",
    target="#zone",
    value="report.txt",
    model="zone.files.map(file => file.name + file.size).join()",
    expected="report.txt5",
)


def _antd(name, options):
    return Widget(
        name=f"antd dragger{name}",
        packages=ANTD,
        page=f"{ANTD_PAGE}<script>ReactDOM.createRoot(root).render(React.createElement(antd.Upload.Dragger, {{ {options}"
        "beforeUpload: file => { chosen = file.name + file.size; return false } }, 'Drop it here'))</script>",
        action="upload",
        target="text=Drop it here",
        value="report.txt",
        model="chosen",
        expected="report.txt5",
    )


ANTD_DRAGGER = _antd("", "")
ANTD_DROP_ONLY = _antd(" that opens no file chooser", "openFileDialogOnClick: false,")

LIGHT = (DROPZONE_ONLY,)
LARGE = (DROPZONE, ANTD_DRAGGER, ANTD_DROP_ONLY)
