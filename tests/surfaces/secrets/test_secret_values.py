"""Values of secret fields, cookies, storage and the vault: hidden by every action, on every surface, in every session."""

import base64
import json
import re

import pytest

import boathook
from tests.mcp.clients import Home

FIELDS = """
<label>Secret <input id=pw type=password value="{0}"></label>
<label>Code <input id=otp autocomplete=one-time-code value="{1}"></label>
<label>CSC <input id=csc autocomplete=cc-csc value="{2}"></label>
<label>New <input id=new autocomplete=new-password value="{3}"></label>
<button id=show onclick="pw.type = 'text'">Show</button>
"""
VALUES = ("hunter3", "48151623", "973", "Tr0ub4dor&3")
ACTIONS = (["click"], ["hover"], ["focus"], ["press", "End"], ["type", "{}", "x"])
ECHO = "<h1>{0}</h1><p>{0} and {1} and {2}</p>"


def page_of(site):
    return site.page(FIELDS.format(*(value.replace("&", "&amp;") for value in VALUES)))


def hidden_in(told, *values):
    found = [value for value in values if value in told]
    assert found == [], told


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_no_action_on_a_secret_field_prints_its_value(program, site):
    program("open", page_of(site))
    told = ""
    for field in ("#pw", "#otp", "#csc", "#new"):
        for verb, *rest in ACTIONS:
            words = [verb, *(word.format(field) for word in rest)]
            line = words if any("#" in word for word in words) else [*words, field]
            for form in ((), ("--json",)):
                done = program(*form, *line)
                assert done.returncode == 0, done.stderr
                told += done.stdout + done.stderr
    assert "••••" in told
    hidden_in(told, *VALUES)


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_a_password_that_the_page_shows_as_text_stays_hidden(program, site):
    program("open", page_of(site))
    program("snapshot")
    program("click", "#show")
    for line in (
        ["snapshot"],
        ["click", "#pw"],
        ["get", "value", "#pw"],
        ["eval", "pw.value"],
        ["read", "html"],
    ):
        done = program(*line)
        hidden_in(done.stdout + done.stderr, "hunter3")


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_a_value_of_a_secret_field_is_hidden_wherever_the_page_repeats_it(program, site):
    program("open", page_of(site))
    told = ""
    for script in (
        "pw.value",
        "({a: [pw.value], b: otp.value})",
        "[...pw.value].map(c => c.charCodeAt(0))",
        "[...pw.value].map(c => c.charCodeAt(0).toString(8)).join(' ')",
        "btoa(btoa(pw.value))",
        "btoa([...pw.value].map(c => c + '\\0').join(''))",
        "[pw.value.slice(0, 3), pw.value.slice(3)]",
        "console.log('typed ' + pw.value); document.title = pw.value",
    ):
        for form in ((), ("--json",)):
            done = program(*form, "eval", script)
            assert done.returncode == 0, done.stderr
            told += done.stdout + done.stderr
    for line in (
        ["console"],
        ["get", "title"],
        ["tab", "list"],
        ["get", "attr", "#pw", "value"],
        ["get", "html", "#pw"],
    ):
        told += program(*line).stdout + program("--json", *line).stdout
    codes = ", ".join(str(ord(letter)) for letter in "hunter3")
    hidden_in(
        told,
        "hunter3",
        "48151623",
        codes,
        codes.replace(", ", "\n"),
        " ".join(f"{ord(letter):o}" for letter in "hunter3"),
        base64.b64encode(base64.b64encode(b"hunter3")).decode(),
        base64.b64encode("hunter3".encode("utf-16-le")).decode(),
        'hun",',
        "hun\nter3",
    )
    assert program("eval", "1 + 1").stdout == "2\n", "the control: other values are shown"


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_a_value_shorter_than_six_characters_is_hidden_in_its_own_field_only(program, site):
    program("open", site.page(FIELDS.format("abcd", "1234", "973", "") + "<p>abcd 1234 973</p>"))
    assert "abcd 1234 973" in program("read").stdout
    assert "abcd" not in program("click", "#pw").stdout
    assert "1234" not in program("get", "value", "#otp").stdout
    assert "973" not in program("--json", "get", "value", "#csc").stdout


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_a_batch_does_not_repeat_what_it_typed_into_a_secret_field(program, site):
    program("open", page_of(site))
    steps = json.dumps([["fill", "#pw", "swordfish"], ["type", "#otp", "77"], ["fill", "#csc", "12a"]])
    done = program("batch", stdin=steps)
    assert done.returncode == 0, done.stderr
    hidden_in(done.stdout, "swordfish", "#otp 77", "12a")
    history = program("history").stdout + program("--json", "history").stdout
    hidden_in(history, "swordfish", "12a")


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_cookies_and_identities_in_storage_are_hidden_in_text_data_and_scripts(program, site):
    program("open", page_of(site))
    program("eval", "document.cookie = 'sid=cookie-4711-value'; document.cookie = 'a=bc'")
    program(
        "eval",
        "localStorage.user = 'bob@example.com'; localStorage.theme = 'dark'; localStorage.token = 't0k'",
    )
    told = program("cookies").stdout + program("--json", "cookies").stdout
    hidden_in(told, "cookie-4711-value", "bc")
    hidden_in(program("eval", "document.cookie").stdout, "cookie-4711-value")
    for line in (["storage", "local"], ["storage"], ["--json", "storage"]):
        shown = program(*line).stdout
        assert "dark" in shown
        hidden_in(shown, "bob@example.com", "t0k")
    script = "return [await tab.cookies(), await tab.storage('local')]"
    ran = program("run", "-", stdin=script)
    assert ran.returncode == 0, ran.stderr
    assert "dark" in ran.stdout
    hidden_in(ran.stdout, "cookie-4711-value", "bob@example.com")


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_a_secret_of_the_user_stays_hidden_in_other_sessions_and_after_a_close(program, site):
    secret = "Xk29-gentle-otter"
    program("--session", "a", "open", page_of(site))
    program("--session", "a", "fill", "#pw", "env:LOGIN", LOGIN=secret)
    echo = site.page(f"<h1>{secret}</h1>")
    for session in ("b", "a"):
        program("--session", session, "open", echo)
        told = program("--session", session, "snapshot", "--mode", "full").stdout
        assert "[REDACTED]" in told
        hidden_in(told, secret)
        program("--session", "a", "close")


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_what_a_page_of_one_session_holds_cannot_be_found_out_from_another(program, site):
    program("--session", "a", "open", page_of(site))
    program("--session", "a", "snapshot")
    assert "hunter3" not in program("--session", "a", "eval", "pw.value").stdout
    program("--session", "b", "open", site.page("<p>x</p>"))
    assert program("--session", "b", "eval", "'hun' + 'ter3'").stdout == '"hunter3"\n'
    program("--session", "hunter3", "open", site.page("<p>x</p>"))
    assert "hunter3:" in program("--session", "b", "session", "list").stdout


async def test_python_shows_no_secret_unless_it_is_asked_to(tab, site):
    await tab.goto(page_of(site))
    await tab.evaluate("document.cookie = 'sid=cookie-4711-value'")
    done = await tab.click("#pw")
    cookies = await tab.cookies()
    value = await tab.get_value("#pw")
    told = f"{done} {done!r} {cookies} {cookies!r} {value} {value!r}"
    hidden_in(told, "hunter3", "cookie-4711-value")
    assert value.reveal() == "hunter3"
    assert cookies[0]["value"].reveal() == "cookie-4711-value"
    await tab.set_cookies({**cookies[0], "name": "copy"})
    assert {cookie["name"] for cookie in await tab.cookies()} == {"sid", "copy"}
    assert "cookie-4711-value" in await tab.evaluate("document.cookie"), "the control: it is really set"


@pytest.mark.slow
async def test_over_mcp_no_secret_field_is_printed(tmp_path, site):
    home = Home(tmp_path)
    try:
        async with home.client("--tools", "core,storage") as client:
            await client.call_tool("open", {"url": page_of(site)})
            told = ""
            for call in (
                ("act", {"kind": "click", "target": "#pw"}),
                ("act", {"kind": "hover", "target": "#otp"}),
                ("act", {"kind": "type", "target": "#csc", "text": "1"}),
                ("snapshot", {}),
                ("cookies", {}),
            ):
                result = await client.call_tool(*call)
                assert not result.is_error, result
                told += repr(result)
            hidden_in(told, *VALUES)
    finally:
        home.say("daemon", "stop")


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_a_secret_that_is_split_over_elements_is_hidden(program, site):
    program("open", page_of(site))
    program("fill", "#pw", "env:LOGIN", LOGIN="gentle-otter-29")
    script = "document.body.innerHTML = '<p><b>gentle-ot</b><i>ter-29</i></p><ul><li><a href=#>gentle</a><li><a href=#>-otter-29</a></ul>'"
    program("eval", script)
    for line in (["snapshot", "--mode", "full"], ["snapshot"], ["read"], ["get", "html", "body"]):
        told = program(*line).stdout
        plain = re.sub(
            r'@e\d+|\[[^\]]*\]|<[^>]*>|["*_\s\\-]|listitem|link|strong|emphasis|paragraph|text', "", told
        )
        assert "gentleotter29" not in plain, told


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_files_that_may_hold_secrets_are_cleaned_or_marked(program, site):
    program("open", page_of(site))
    program("eval", "window.kept = {login: pw.value}; 1")
    heap = program.json("heap", "snapshot", "heap.heapsnapshot")
    data = (program.work / "heap.heapsnapshot").read_text(errors="replace")
    assert "kept" in json.loads(data)["strings"], "the control: the file is whole"
    assert data.count("hunter3") == 0
    assert heap["artifacts"][0]["may_contain_secrets"] is True
    pdf = program.json("pdf", "page.pdf")
    assert pdf["artifacts"][0]["may_contain_secrets"] is True
    assert "may contain secrets" in program("pdf", "again.pdf").stdout


ENTER = """<label>D <input id=d type=password></label><p id=out></p><script>
d.onkeydown = (event) => { if (event.key === 'Enter') { out.textContent = document.title = 'got ' + d.value; console.log(d.value); d.value = '' } };
</script>"""


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_a_password_that_is_sent_with_enter_is_hidden_although_its_field_is_empty_then(program, site):
    program("open", site.page(ENTER))
    told = program("type", "#d", "typed-Llama-51\n").stdout
    assert "got [REDACTED]" in told, "the control: the page shows it"
    program("focus", "#d")
    told += program("keyboard", "type", "keys-Llama-52\n").stdout
    steps = [["type", "#d", "batch-Llama-53\n"], ["find", "label", "D", "type", "found-Llama-54\n"]]
    told += program("batch", stdin=json.dumps(steps)).stdout
    told += (
        program("snapshot", "--mode", "full").stdout
        + program("console").stdout
        + program("get", "title").stdout
    )
    hidden_in(told, "Llama-51", "Llama-52", "Llama-53", "Llama-54")


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_what_a_batch_types_is_in_no_history_also_when_a_step_fails(program, site):
    program("open", page_of(site))
    lines = (
        "type #pw appended-Asp-01",
        "type #nosuch failing-Asp-02 --timeout 1",
        "find label Nothing type found-Asp-03",
    )
    told = program("batch", *lines, "focus #pw", "keyboard type keyed-Asp-04").stdout
    program("session", "list")  # a record is written right after the answer, and so before the next call
    told += "".join(path.read_text() for path in (program.home / ".local").rglob("*.jsonl"))
    assert "keyboard_type" in told, "the control: the steps are in it"
    hidden_in(told, "Asp-01", "Asp-02", "Asp-03", "Asp-04")


@pytest.mark.shared_daemon
@pytest.mark.slow
def test_a_secret_that_a_script_takes_apart_is_hidden(program, site):
    program("open", page_of(site))
    for script in (
        "new TextEncoder().encode(pw.value)",
        "({...[...pw.value]})",
        "Object.entries([...pw.value])",
        "[...pw.value].map(c => ({c}))",
        "[...pw.value].join(', ')",
        "[...pw.value].join('|')",
        "[...pw.value].map(c => c.charCodeAt(0).toString(2).padStart(8, '0')).join(' ')",
    ):
        for form in ((), ("--json",)):
            told = program(*form, "eval", script).stdout
            assert "[REDACTED]" in told, (script, told)


async def test_texts_of_the_library_show_no_secret_that_a_page_repeats(tab, site):
    await tab.goto(site.page(ENTER))
    done = await tab.type("#d", "library-Llama-61\n")
    shown = f"{done} {await tab.snapshot(mode='full')}"
    assert "[REDACTED]" in shown
    with pytest.raises(boathook.BoathookError) as caught:
        await tab.click("text=library-Llama-61 is not here", timeout=1)
    hidden_in(f"{shown} {caught.value} {caught.value!r}", "library-Llama-61")
