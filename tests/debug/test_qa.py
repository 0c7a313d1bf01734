"""QA: a page passes or fails by what it shows and causes; reports are escaped, without secrets, and complete."""

import json
from xml.etree import ElementTree as ET

import pytest

pytestmark = [pytest.mark.shared_daemon, pytest.mark.slow]
GOOD = "<title>Desk</title><h1>Welcome back</h1><main>Tickets</main>"
BAD = """<title>Bad &lt;b&gt;</title><h1>Bad</h1><img src=/no/such.png>
<label>Password <input type=password value=swordfish-9></label>
<script>console.warn('careful'); console.error('<img id=forged src=x onerror=alert(1)> ]]> swordfish-9 \\u0001');
fetch('/api/none'); setTimeout(() => { throw new Error('boom') })</script>"""
NOISY = "<script>setInterval(() => { console.error('old'); throw new Error('old noise') }, 1)</script>"


def test_a_good_page_passes_whatever_the_page_before_it_did(program, site):
    program("open", site.page(NOISY))
    page = site.page(GOOD)
    done = program(
        "qa", page, "--text", "welcome BACK", "--text", "Tickets", "--selector", "main", "--screenshot", "out/s.png",
        "--junit", "out/qa.xml", "--html", "out/qa.html",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("passed: 8 checks passed\n")
    suite = ET.parse(program.work / "out/qa.xml").getroot()[0]
    names = [case.get("name") for case in suite]
    assert names == [
        "open", "text 'welcome BACK'", "text 'Tickets'", "selector 'main'", "console", "errors", "network", "screenshot",
    ]  # fmt: skip
    assert (program.work / "out/s.png").read_bytes().startswith(b"\x89PNG")
    assert 'src="data:image/jpeg;base64,/9j/' in (program.work / "out/qa.html").read_text()
    saved = [file["path"] for file in program.json("artifacts")["data"] if file["state"] == "saved"]
    assert {path.rpartition("/")[2] for path in saved} >= {"s.png", "qa.xml", "qa.html"}


def test_every_kind_of_failure_is_found_and_the_exit_status_says_so(program, site):
    page = site.page(BAD)
    failed = program("--json", "--timeout", "3", "qa", page, "--text", "Nowhere", "--selector", "#none")
    answer = json.loads(failed.stdout)
    assert failed.returncode == 1
    assert (answer["ok"], answer["category"]) == (False, "qa-failure")
    verdict = answer["data"]
    assert not verdict["passed"]
    found = {check["check"]: check["message"] for check in verdict["failedChecks"]}
    assert set(found) == {"text 'Nowhere'", "selector '#none'", "console", "errors", "network"}
    assert "Error: boom" in found["errors"]
    assert "/no/such.png: 404" in found["network"]
    assert "/api/none: 404" in found["network"]
    assert [text for text in verdict["warnings"] if "careful" in text]
    assert verdict["summary"] == "5 of 6 checks failed"
    assert verdict["pages"][0]["title"], "also if the time was short"
    ignored = program("qa", page, "--no-check-console", "--no-check-errors", "--no-check-network")
    assert ignored.returncode == 0, ignored.stdout
    for url, words in (
        (f"{site.origin}/none", "open: HTTP status 404"),
        ("http://127.0.0.1:9/", "could not be"),
    ):
        missing = program("qa", url)
        assert (missing.returncode, words in missing.stdout) == (1, True), missing.stdout


def test_reports_escape_what_pages_write_and_contain_no_secret(program, site):
    program("qa", site.page(BAD), "--junit", "bad.xml", "--html", "bad.html")
    text = (program.work / "bad.html").read_text() + (program.work / "bad.xml").read_text()
    assert "[REDACTED]" in text
    assert "swordfish-9" not in text
    assert ET.parse(program.work / "bad.xml").getroot().get("failures") == "3"
    report = f"file://{program.work}/bad.html"
    there = ("--session", "report", "--allow-file-access")
    assert program(*there, "open", report).returncode == 0
    assert program(*there, "get", "count", "#forged").stdout == "0\n"
    assert "<img id=forged" in program(*there, "get", "text", "table").stdout, (
        "the control: it is shown as text"
    )
    assert program(*there, "get", "count", "img").stdout == "1\n"


def test_attached_checks_the_current_page_and_opens_nothing(program, site):
    assert "not a web page" in program("qa", "--attached").stderr
    page = site.page(BAD)
    program("open", page)
    asked = len(site.requests)
    checked = program("qa", "--attached", "--text", "bad")
    assert (checked.returncode, checked.stdout.partition("\n")[0]) == (0, "passed: 1 check passed")
    assert program("qa", "--attached", "--check-errors").returncode == 1
    assert len(site.requests) == asked
    assert "mutually exclusive" in program("qa", page, "--attached").stderr
    assert "qa needs a url" in program("qa").stderr
    assert "two results would be written to" in program("qa", page, "--html", "x", "--junit", "./x").stderr


def test_a_folder_in_place_of_a_report_is_refused_before_the_page_is_opened(program, site):
    page = site.page(BAD)
    program("open", page)
    for option in ("--html", "--junit", "--screenshot"):
        refused = program("qa", site.page("<h1>Other</h1>"), option, "")
        assert (refused.returncode, "it is a folder" in refused.stderr) == (2, True), refused.stderr
    assert program("get", "url").stdout == f"{page}\n"
    program("qa", other := site.page("<h1>Other</h1>"))
    assert program("get", "url").stdout == f"{other}\n", "the control: qa opens the page"


def test_a_page_that_asks_a_question_fails_at_once_and_says_why(program, site):
    page = site.page("<h1>Here</h1><script>setTimeout(() => confirm('sure?'))</script>")
    asked = program("--timeout", "20", "qa", page, "--text", "Here", "--screenshot", "asked.png")
    assert asked.returncode == 1
    assert asked.stdout.count("a confirm dialog is open: 'sure?'") == 2, asked.stdout
    program("dialog", "dismiss")


PAGES = """[defaults]
wait_until = "load"
[[page]]
name = "Start"
url = "{good}"
text = ["Welcome", "Tickets"]
screenshot = "start.png"
[[page]]
url = "{bad}"
check_console = false
check_errors = false
"""


def test_the_pages_of_a_file_are_checked_into_one_report(program, site):
    good, bad = (site.page(html).removeprefix(site.origin) for html in (GOOD, BAD))
    (program.work / "pages.toml").write_text(PAGES.format(good=good, bad=bad))
    done = program(
        "qa", "pages", "pages.toml", "--base", site.origin, "--junit", "qa.xml", "--html", "qa.html"
    )
    assert done.returncode == 1
    assert done.stdout.startswith("failed: 1 of 9 checks failed on 2 pages\n")
    suites = ET.parse(program.work / "qa.xml").getroot()
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == [
        ("Start", "0"),
        (f"{site.origin}{bad}", "1"),
    ]
    assert (program.work / "qa.html").read_text().count("data:image/jpeg") == 2
    assert (program.work / "start.png").exists()
    late = program("--timeout", "0.01", "qa", "pages", "pages.toml", "--base", site.origin)
    assert "timed out after 0.01 s" in late.stderr
    data = {"base": site.origin, "page": [{"url": good}]}
    (program.work / "pages.json").write_text(json.dumps(data))
    assert program("qa", "pages", "pages.json").returncode == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[page]]\nurl = 1", "page 1: url must be a string"),
        ("[[page]]\ntext = 'x'", "page 1 has no url"),
        ("[[page]]\nurl = 'x'\ntxt = 'y'", "page 1: unknown key 'txt' (did you mean text?)"),
        ("[[page]]\nurl = 'x'\ntext = [1]", "page 1: text must be a list of strings"),
        ("[[page]]\nurl = 'x'\ncheck_errors = 'no'", "page 1: check_errors must be true or false"),
        ("[[page]]\nurl = 'x'\nwait_until = 'idle'", "page 1: wait_until must be one of"),
        ("defaults = 1\n[[page]]\nurl = 'x'", "defaults must be a table"),
        ("page = []", "page must be a list of 1 to"),
        ("pages = []", "must have the keys base, defaults and page"),
        ("page", "is not TOML"),
    ],
)
def test_a_wrong_list_of_pages_is_refused_with_its_page_and_key(program, text, words):
    (program.work / "wrong.toml").write_text(text)
    assert words in program.ask("qa", "pages", "wrong.toml").err


def test_a_policy_decides_about_every_page_and_file(program, site):
    there = ("--session", "limited", "--allowed-domains", "localhost")
    (program.work / "pages.toml").write_text(f"[[page]]\nurl = '{site.page(GOOD)}'")
    for line in (("qa", site.page(GOOD)), ("qa", "pages", "pages.toml")):
        assert "[policy_blocked]" in program(*there, *line).stderr
    for flag in ("--html", "--junit", "--screenshot"):
        refused = program("--output-roots", str(program.work), "qa", site.page(GOOD), flag, "/tmp/outside.x")
        assert "outside the folders that may be written to" in refused.stderr


async def test_python_has_it_as_a_method(tab, site):
    report = await tab.qa(site.page(GOOD), text=["Welcome"])
    assert report.passed
    assert [check.title for check in report.pages[0].checks][:2] == ["open", "text 'Welcome'"]
