"""Pages with date fields of public libraries: each row is proven by the widget's own model."""

from __future__ import annotations

from dataclasses import replace

from tests.browser.widgets.widget import ANTD, ANTD_PAGE, JQUERY, Widget

FLATPICKR = "<link rel=stylesheet href=/nm/flatpickr/dist/flatpickr.css><script src=/nm/flatpickr/dist/flatpickr.js></script>"


def _flatpickr(name, options, value, expected):
    return Widget(
        name=f"flatpickr {name}",
        packages=("flatpickr@4.6.13",),
        page=f"{FLATPICKR}<label>Arrival <input id=d></label><p><button>Next</button>"
        f"<script>picker = flatpickr('#d', {options})</script>",
        action="fill",
        target="label=Arrival",
        value=value,
        model="picker.selectedDates.map(date => picker.formatDate(date, 'Y-m-d H:i')).join() + picker.isOpen",
        expected=expected,
    )


FLATPICKR_DATE = _flatpickr("date", "{}", "2026-05-04", "2026-05-04 00:00false")
FLATPICKR_FAR = _flatpickr(
    "date in words, years away",
    "{ altInput: true, altFormat: 'F j, Y' }",
    "2021-02-28",
    "2021-02-28 00:00false",
)
FLATPICKR_TIME = _flatpickr(
    "date and time", "{ enableTime: true }", "2026-05-04 17:35", "2026-05-04 17:35false"
)
FLATPICKR_CLOCK = replace(
    _flatpickr(
        "time", "{ enableTime: true, noCalendar: true, dateFormat: 'h:i K' }", "17:35", "5:35 PMfalse"
    ),
    model="d.value + picker.isOpen",
)
FLATPICKR_RANGE = _flatpickr(
    "range", "{ mode: 'range' }", "2026-04-28/2026-05-04", "2026-04-28 00:00,2026-05-04 00:00false"
)


def _antd(name, made, value, expected):
    return Widget(
        name=f"antd {name}",
        packages=ANTD,
        page=f"{ANTD_PAGE}<script>chosen = ''; const h = React.createElement; ReactDOM.createRoot(root).render({made})</script>",
        action="fill",
        target="input",
        nth=0,
        value=value,
        model="chosen",
        expected=expected,
    )


ANTD_DATE = _antd(
    "date",
    "h(antd.DatePicker, { 'aria-label': 'Day', format: 'DD/MM/YYYY', onChange: (_, text) => chosen = text })",
    "2027-03-14",
    "14/03/2027",
)
ANTD_DATETIME = _antd(
    "date and time",
    "h(antd.DatePicker, { showTime: true, onChange: (_, text) => chosen = text })",
    "2026-03-14T10:30",
    "2026-03-14 10:30:00",
)
ANTD_TIME = _antd(
    "time", "h(antd.TimePicker, { onChange: (_, text) => chosen = text })", "10:30:15", "10:30:15"
)
ANTD_RANGE = _antd(
    "range",
    "h(antd.DatePicker.RangePicker, { onChange: (_, texts) => chosen = texts.join(' ') })",
    "2026-03-14/2026-04-02",
    "2026-03-14 2026-04-02",
)
MUI_PACKAGES = (
    "react@18", "react-dom@18", "dayjs@1", "@mui/material@5", "@mui/x-date-pickers@7", "@emotion/react@11",
    "@emotion/styled@11", "esbuild@0.25",
)  # fmt: skip


def _mui(name, component, options, value, expected, *, target="label=Start"):
    return Widget(
        name=f"mui {name}",
        packages=MUI_PACKAGES,
        page="<div id=root></div><script>chosen = ''</script><script src=bundle.js></script>",
        bundle="import React from 'react'; import { createRoot } from 'react-dom/client'; const h = React.createElement;"
        "import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';"
        "import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';"
        f"import {{ {component} as Picker }} from '@mui/x-date-pickers/{component}';"
        "createRoot(root).render(h(LocalizationProvider, { dateAdapter: AdapterDayjs },"
        f"h(Picker, {{ label: 'Start', {options} onChange: value => {{ window.chosen = value && value.format('YYYY-MM-DD HH:mm') }} }})))",
        action="fill",
        target=target,
        nth=0,
        value=value,
        model="chosen",
        expected=expected,
    )


SECTIONS = "enableAccessibleFieldDOMStructure: true,"
MUI_TEXT = _mui("formatted text", "DesktopDatePicker", "", "2026-03-14", "2026-03-14 00:00")
MUI_SECTIONS = _mui(
    "sections", "DesktopDatePicker", SECTIONS, "2024-02-29", "2024-02-29 00:00", target="role=group"
)
MUI_DATETIME = _mui(
    "date and time in sections",
    "DesktopDateTimePicker",
    SECTIONS,
    "2026-03-14T17:05",
    "2026-03-14 17:05",
    target="role=spinbutton",
)
JQUERY_UI = Widget(
    name="jquery ui datepicker",
    packages=("jquery@3.7.1", "jquery-ui-dist@1.13.3"),
    page=f"{JQUERY}<link rel=stylesheet href=/nm/jquery-ui-dist/jquery-ui.css><script src=/nm/jquery-ui-dist/jquery-ui.js></script>"
    "<label>Due <input id=d></label><script>$(d).datepicker()</script>",
    action="fill",
    target="label=Due",
    value="2026-03-14",
    model="$.datepicker.formatDate('yy-mm-dd', $(d).datepicker('getDate')) + d.value",
    expected="2026-03-1403/14/2026",
)
PIKADAY = Widget(
    name="pikaday",
    packages=("pikaday@1.8.2",),
    page="<link rel=stylesheet href=/nm/pikaday/css/pikaday.css><script src=/nm/pikaday/pikaday.js></script>"
    "<label>Due <input id=d></label><script>picker = new Pikaday({ field: d })</script>",
    action="fill",
    target="label=Due",
    value="2026-03-14",
    model="picker.getDate().toDateString()",
    expected="Sat Mar 14 2026",
)
BOOTSTRAP = Widget(
    name="bootstrap-datepicker",
    packages=("jquery@3.7.1", "bootstrap-datepicker@1.10.1"),
    page=f"{JQUERY}<link rel=stylesheet href=/nm/bootstrap-datepicker/dist/css/bootstrap-datepicker3.css>"
    "<script src=/nm/bootstrap-datepicker/dist/js/bootstrap-datepicker.js></script>"
    "<label>Due <input id=d></label><script>$(d).datepicker({ format: 'dd.mm.yyyy' })</script>",
    action="fill",
    target="label=Due",
    value="2026-03-04",
    model="d.value + document.querySelectorAll('.datepicker-dropdown').length",
    expected="04.03.20260",
)

LIGHT = (FLATPICKR_DATE, FLATPICKR_TIME, FLATPICKR_RANGE)
LARGE = (
    FLATPICKR_FAR, FLATPICKR_CLOCK, ANTD_DATE, ANTD_DATETIME, ANTD_TIME, ANTD_RANGE, MUI_TEXT, MUI_SECTIONS, MUI_DATETIME,
    JQUERY_UI, PIKADAY, BOOTSTRAP,
)  # fmt: skip
