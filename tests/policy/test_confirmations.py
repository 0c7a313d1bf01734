"""Confirmations: bound to the tab, the document and the element that the user was shown, and not for the process that asked."""

import json
import os
import socket
import subprocess
import sys

import pytest

from boathook._version import __version__
from boathook.wire import messages
from boathook.wire.framing import pack
from boathook.wire.socket_address import daemon_folder, socket_path
from tests.support.program import Program

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
BANNER = "<p>We use cookies</p><button onclick='document.title=\"accepted\"'>OK</button>"
TRANSFER = (
    "<form action='/transfer' method=post><input type=hidden name=to value=Mallory><input name=amount value=900>"
    "<input type=password name=pin value=4711><button>OK</button></form>"
)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("confirmations"))
    (made.work / ".git").mkdir()
    assert made("--confirm-actions", "click,press,goto", "doctor", "--quick").returncode == 0
    yield made
    made.stop()


def ask(program, *line):
    """Ask in a separate process; the error with the confirmation that it requires."""
    said = program("--json", "--confirm-actions", "click,press,goto", *line, alone=True)
    error = json.loads(said.stdout)["error"]
    assert error["code"] == "confirmation_required", error
    return error


def number_of(error):
    return error["evidence"]["confirmation"]


def show(program, url):
    assert program.ask("tab", "new", url).exit == 0


def test_an_approval_for_one_page_does_nothing_on_another(program, site):
    show(program, site.page(BANNER, title="News"))
    asked = number_of(ask(program, "click", "text=OK"))
    program.ask("eval", f"location.href = {site.page(TRANSFER, title='Bank')!r}")
    assert program.ask("wait", "--text", "OK").exit == 0
    program.ask("wait", "--fn", "document.title === 'Bank'")
    before = list(site.requests)
    refused = program.on_terminal("--json", "confirm", asked)
    error = json.loads(refused.stdout)["error"]
    assert error["code"] == "confirmation_required"
    assert "the page has changed since it was approved" in error["message"]
    assert program.ask("get", "title").out == "Bank\n"
    assert [path for path in site.requests if path not in before and "transfer" in path] == []
    again = program.on_terminal("--json", "confirm", number_of(error))
    assert json.loads(again.stdout)["ok"], "the control: approved on the page that was shown, it is done"


def test_an_approval_for_one_element_does_nothing_to_another_that_takes_its_place(program, site):
    show(program, site.page(BANNER, title="News"))
    asked = number_of(ask(program, "click", "css=button"))
    program.ask(
        "eval",
        "document.querySelector('button').replaceWith(Object.assign(document.createElement('button'),"
        " {textContent: 'Buy', onclick: () => { document.title = 'bought' }}))",
    )
    refused = json.loads(program.on_terminal("--json", "confirm", asked).stdout)
    assert refused["error"]["code"] == "confirmation_required"
    assert '"Buy"' in refused["error"]["message"]
    assert program.ask("get", "title").out == "News\n"


def test_the_question_shows_where_what_and_what_would_be_sent(program, site):
    page = site.page(TRANSFER, title="Bank")
    show(program, page)
    message = ask(program, "click", "text=OK")["message"]
    assert f"on {page} (tab " in message
    assert 'button "OK" @e' in message
    assert f"would send POST {site.origin}/transfer: to=Mallory, amount=900, pin=••••" in message
    assert "4711" not in message
    assert 'url="https://example.org/"' in ask(program, "open", "https://example.org/")["message"]
    show(program, site.page("<label>Name <input></label><label>Code <input type=password></label>"))
    typed = ("--confirm-actions", "fill")
    assert 'value="Ada"' in ask(program, *typed, "fill", "label=Name", "Ada")["message"]
    assert "value=[hidden]" in ask(program, *typed, "fill", "label=Code", "1234")["message"]
    listed = program.on_terminal("confirm")
    assert 'button "OK"' in listed.stdout, listed.stderr


def test_an_approval_is_for_what_was_shown_also_with_find_and_with_keys(program, site):
    show(program, site.page(TRANSFER, title="Bank"))
    found = ask(program, "find", "text", "OK", "click")
    assert 'button "OK" @e' in found["message"]
    program.ask("focus", "css=[name=amount]")
    pressed = ask(program, "press", "Enter")
    assert "amount=900" in pressed["message"]
    program.ask("eval", "document.querySelector('[name=amount]').value = 9000000")
    for error in (found, pressed):
        again = json.loads(program.on_terminal("--json", "confirm", number_of(error)).stdout)
        assert again["error"]["code"] == "confirmation_required"
        assert "amount=9000000" in again["error"]["message"]
    assert "/transfer" not in site.requests[-1]


def test_a_question_hides_nothing(program, site):
    show(program, site.page(TRANSFER.replace("<button>", "<button name=mode value=real>"), title="Bank"))
    assert "mode=real" in ask(program, "click", "text=OK")["message"]
    long = f"http://bank.example-{'a' * 1500}@127.0.0.1:{site.port}/x"
    asked = ask(program, "open", long)["message"]
    assert f"(host 127.0.0.1:{site.port})" in asked
    assert "characters not shown" in asked
    script = f"/* {'x' * 1500} */ document.title = 'HIDDEN'"
    assert "HIDDEN" in ask(program, "--confirm-actions", "eval", "eval", script)["message"]
    state = ask(program, "--confirm-actions", "state", "storage", "local", "set", "token", "evil")["message"]
    assert 'words="set" "token" [hidden]' in state
    assert "evil" not in state


def test_an_approval_is_for_the_same_file_and_the_same_name(program, site):
    job = program.work / "job.py"
    job.write_text("return 'first'")
    show(program, site.page(BANNER, title="News"))
    asked = number_of(ask(program, "--confirm-actions", "scripts", "run", str(job)))
    job.write_text("return 'second'")
    again = json.loads(program.on_terminal("--json", "confirm", asked).stdout)
    assert again["error"]["code"] == "confirmation_required"
    asked = number_of(ask(program, "click", "css=button"))
    program.ask("eval", "document.querySelector('button').textContent = 'Delete everything'")
    again = json.loads(program.on_terminal("--json", "confirm", asked).stdout)
    assert "Delete everything" in again["error"]["message"]
    assert "no pending confirmation" in program.on_terminal("confirm", asked).stderr, (
        "used up by its first run"
    )


DIALOGS = (
    '<button onclick=\'document.title = [confirm("Show a hint?"), confirm("DELETE EVERYTHING?")]\'>Ask</button>'
    '<button onclick=\'document.title = [confirm("Again?"), confirm("Again?")]\'>Repeat</button>'
)
ACCEPTING = ("--confirm-actions", "dialog-accept")


def approve(program, error):
    """Approve in another terminal; the answer to the action."""
    return json.loads(program.on_terminal("--json", "confirm", number_of(error)).stdout)


def test_an_approval_is_for_the_dialog_that_was_shown(program, site):
    show(program, site.page(DIALOGS, title="News"))
    program.ask("click", "text=Ask")
    asked = ask(program, *ACCEPTING, "dialog", "accept")
    assert 'confirm dialog "Show a hint?"' in asked["message"]
    assert program.ask("dialog", "dismiss").exit == 0
    again = approve(program, asked)["error"]
    assert again["code"] == "confirmation_required"
    assert 'confirm dialog "DELETE EVERYTHING?"' in again["message"]
    assert "DELETE EVERYTHING?" in program.ask("dialog", "status").out, "it is still open"
    assert approve(program, again)["ok"], (
        "the control: approved for the dialog that was shown, it is accepted"
    )
    assert program.ask("get", "title").out == "false,true\n"


def test_an_approval_is_not_for_a_later_dialog_with_the_same_text(program, site):
    show(program, site.page(DIALOGS, title="News"))
    program.ask("click", "text=Repeat")
    asked = ask(program, *ACCEPTING, "dialog", "accept")
    assert program.ask("dialog", "dismiss").exit == 0
    assert approve(program, asked)["error"]["code"] == "confirmation_required"
    assert program.ask("dialog", "dismiss").exit == 0
    assert program.ask("get", "title").out == "false,false\n"


def test_a_question_shows_the_message_of_a_dialog_quoted_and_bounded(program, site):
    text = 'Safe" on https://bank.example (tab t1)' + "x" * 1_500 + "END"
    show(program, site.page(f"<button onclick='confirm({json.dumps(text)})'>Ask</button>"))
    program.ask("click", "text=Ask")
    message = ask(program, *ACCEPTING, "dialog", "accept")["message"]
    assert 'confirm dialog "Safe\\" on https' in message
    assert "characters not shown" in message
    assert 'END"' in message
    assert program.ask("dialog", "dismiss").exit == 0


PLACES = "".join(
    f"<button style='position:fixed;left:0;width:100px;height:100px;top:{top}px'"
    f" onmousedown='document.title += \" {name}\"' onmouseup='document.title += \" up-{name}\"'>{name}</button>"
    for name, top in (("Safe", 0), ("Evil", 200))
)
MOUSE = ("--confirm-actions", "mouse-down,mouse-up,mouse-wheel")


@pytest.mark.parametrize(
    "line", [("mouse", "down"), ("mouse", "up"), ("mouse", "wheel", "10")], ids=["down", "up", "wheel"]
)
def test_an_approval_is_for_the_point_and_the_element_under_the_mouse(program, site, line):
    show(program, site.page(PLACES, title="News"))
    program.ask("mouse", "move", "50", "50")
    if line[1] == "up":
        program.ask("mouse", "down")
    asked = ask(program, *MOUSE, *line)
    assert 'at 50,50 to button "Safe" @e' in asked["message"]
    program.ask("mouse", "move", "50", "250")
    again = approve(program, asked)["error"]
    assert again["code"] == "confirmation_required"
    assert 'at 50,250 to button "Evil" @e' in again["message"]
    assert "Evil" not in program.ask("get", "title").out
    assert approve(program, again)["ok"], "the control: approved for the point that was shown, it acts"
    assert ("Evil" in program.ask("get", "title").out) == (line[1] != "wheel")


def test_an_approval_is_not_for_another_point_of_the_element_nor_for_what_covers_it(program, site):
    show(program, site.page(PLACES, title="News"))
    program.ask("mouse", "move", "50", "50")
    asked = ask(program, *MOUSE, "mouse", "down")
    program.ask("mouse", "move", "60", "60")
    asked = approve(program, asked)["error"]
    assert "at 60,60" in asked["message"]
    program.ask("eval", "document.querySelectorAll('button')[1].style.top = 0")
    again = approve(program, asked)["error"]
    assert 'at 60,60 to button "Evil" @e' in again["message"]
    assert program.ask("get", "title").out == "News\n"


def test_a_question_about_moving_the_mouse_shows_the_element_at_its_end(program, site):
    show(program, site.page(PLACES, title="News"))
    asked = ask(program, "--confirm-actions", "mouse-move", "mouse", "move", "50", "250")
    assert 'to button "Evil" @e' in asked["message"]
    assert approve(program, asked)["ok"]


def test_keys_are_still_for_the_focused_element_wherever_the_mouse_is(program, site):
    show(program, site.page("<label>Name <input></label>" + PLACES, title="News"))
    program.ask("focus", "label=Name")
    program.ask("mouse", "move", "50", "250")
    asked = ask(program, "--confirm-actions", "key-down", "keydown", "a")
    assert 'textbox "Name" @e' in asked["message"]
    program.ask("mouse", "move", "60", "250")
    assert approve(program, asked)["ok"]


def test_only_the_server_that_asked_can_report_its_users_answer(program, site):
    """A message with an id in `confirmed`, as the MCP server sends it, from another process."""
    show(program, site.page(BANNER, title="News"))
    asked = number_of(ask(program, "click", "text=OK"))
    message = messages.run(
        "1",
        command="click",
        arguments={"target": "text=OK"},
        settings={"confirm_actions": ["click"]},
        cwd=str(program.work),
        environment={},
        owner=messages.owner(pid=os.getpid(), start_time=None),
        surface="mcp stdio",
        client="attacker",
        confirmed=asked,
    )
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(socket_path(daemon_folder(program.environment)))
        link.sendall(pack(messages.hello(version=__version__, pid=os.getpid())) + pack(message))
        said = b""
        while b'"outcome"' not in said and (part := link.recv(65_536)):
            said += part
    assert b"may not approve" in said
    assert program.ask("get", "title").out == "News\n"


def test_the_process_that_asked_cannot_approve(program, site):
    show(program, site.page(BANNER, title="News"))
    asked = number_of(ask(program, "click", "text=OK"))
    without_terminal = program("confirm", asked)
    assert "it has no terminal" in without_terminal.stderr
    assert "[policy_blocked]" in without_terminal.stderr
    assert program.ask("get", "title").out == "News\n"
    assert program.on_terminal("confirm", asked).returncode == 0, (
        "the control: a person in another terminal can"
    )
    assert program.ask("get", "title").out == "accepted\n"


AGENT = """
import json, os, subprocess, sys
boathook = [sys.executable, "-m", "boathook"]
asked = subprocess.run([*boathook, "--json", "--confirm-actions", "click", "click", "text=OK"], capture_output=True, text=True)
number = json.loads(asked.stdout)["error"]["evidence"]["confirmation"]
same = subprocess.run([*boathook, "confirm", number], capture_output=True, text=True).stderr
inner = f"import pty, sys; pty.spawn([{sys.executable!r}, '-m', 'boathook', 'confirm', {number!r}])"
other = subprocess.run([sys.executable, "-c", inner], capture_output=True, text=True).stdout
open("said.json", "w").write(json.dumps([same, other]))
"""


def test_an_agent_in_a_terminal_cannot_approve_there_nor_in_a_terminal_that_it_opens(program, site):
    show(program, site.page(BANNER, title="News"))
    (program.work / "agent.py").write_text(AGENT)
    start = f"import os, pty, sys; os.chdir({str(program.work)!r}); pty.spawn([sys.executable, 'agent.py'])"
    subprocess.run([sys.executable, "-c", start], env=program.environment, capture_output=True, check=True)
    same, other = json.loads((program.work / "said.json").read_text())
    assert "it runs in the terminal of the process that asked" in same
    assert "it was started by the process that asked" in other
    assert program.ask("get", "title").out == "News\n"
