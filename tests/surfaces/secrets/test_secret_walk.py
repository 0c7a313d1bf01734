"""No secret and no forged line by any path: every command of the registry on every surface, on a page that has secrets and
imitates our output."""

import asyncio
import base64
import json
import re
import shlex
import tomllib
from dataclasses import replace
from os.path import realpath
from pathlib import Path
from urllib.parse import quote

import pytest

import boathook
from boathook.commands import catalogue
from boathook.effects import SideEffect
from boathook.engine.launch.find_chrome import find_browser
from boathook.errors import BoathookError
from boathook.service.daemon.host_protocol import CallRequest, CommandLine, Owner, Terminal
from boathook.service.host import Host
from boathook.service.input.command_line import read_line, table_of
from boathook.service.surface import Surface
from boathook.surfaces.python.portal import Portal
from tests.mcp.clients import Home
from tests.support.chromium import foreign_chromium, port_of
from tests.support.forged import forged_in
from tests.support.observed_effects import Observer, undeclared
from tests.support.secret_site import MARK, PLACES, SecretSite
from tests.support.thorough import THOROUGH

PLAN = tomllib.loads((Path(__file__).parent / "secret_walk.toml").read_text())
LEAST_SHARE = 0.9
LEAST_FORGED = 3
"""Answers of each channel in which the page's imitation of our output occurs."""
SAMPLE = 25
"""Lines that go over MCP in `make test`; `make stress` sends all of them, and each in text and JSON."""
READ_WHOLE = (".har", ".json", ".cpuprofile", ".heapsnapshot", ".txt")
COOKIES = "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\timported\t{environment}\n"
FACTS = {
    "request": r"#(\d+) POST [^\n]*/api|\"number\": (\d+)[^{}]*/api",
    "detached": r"\b(w\d+)\b",
}
"""What later lines need of the answers to earlier ones."""
VIEWS = {
    "single": (
        ("browser", {"action": "open", "url": "{site}/desk"}),
        ("browser", {"action": "snapshot"}),
        ("browser", {"action": "evaluate", "script": "values()"}),
        ("browser", {"action": "content"}),
    ),
    "direct": (
        ("browser_list", {"browser_url": "{endpoint}"}),
        ("browser_navigate", {"browser_url": "{endpoint}", "url": "{site}/desk"}),
        ("browser_snapshot", {"browser_url": "{endpoint}"}),
        ("browser_click", {"browser_url": "{endpoint}", "uid": "{uid}"}),
        ("browser_fill", {"browser_url": "{endpoint}", "uid": "{uid}", "value": "{password_field}"}),
        ("browser_eval", {"browser_url": "{endpoint}", "expression": "values()"}),
        ("browser_screenshot", {"browser_url": "{endpoint}"}),
        # It fails, since a dialog is open, which the next call answers.
        ("browser_eval", {"browser_url": "{endpoint}", "expression": "prompt('Name')"}),
        ("browser_dialog", {"browser_url": "{endpoint}", "text": "{password_field}"}),
    ),
    "named": (
        ("browser", {"action": "open", "url": "{site}/desk"}),
        ("browser", {"action": "run", "code": "return await tab.evaluate('values()')"}),
        ("browser", {"action": "close"}),
    ),
    "scripted": (
        ("execute", {"code": "await tab.goto('{site}/desk'); return await tab.evaluate('values()')"}),
        ("reset", {}),
    ),
}
"""Calls of the tools of other programs, by tool set."""
SINGLE_ACTIONS = ("snapshot", "evaluate", "content")


class Walk:
    """What was said on each channel, and which commands succeeded."""

    def __init__(self, site, folder, port):
        self.site, self.folder, self.port = site, folder, port
        self.said = {}
        self.texts = {}
        """What a person, a program or a model reads, with the line that it answers."""
        self.done, self.failed = set(), {}
        self.observer = None
        self.undeclared, self.observed, self.found_without_facts = {}, set(), False
        """What commands did without declaring it, and all that was seen to be done."""
        self.facts = {
            **site.values,
            "site": site.origin,
            "folder": str(folder),
            "port": str(port),
            "other": "walk-other",
        }
        self.facts |= {"endpoint": f"http://127.0.0.1:{port}", "attached": "walk-attached"}
        self.facts |= {"request": "1", "uid": "1", "detached": "w1"}
        self._table = table_of(
            {name: command for name, command in catalogue().items() if not command.tool_set}
        )

    def words(self, line):
        """A line with its facts, as words."""
        return [self.filled(word) for word in shlex.split(line)]

    def filled(self, text):
        for name, value in self.facts.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def note(self, channel, line, text, *, ok, read=None):
        self.texts.setdefault(channel, []).append((line, text if read is None else read))
        self.said.setdefault(channel, []).append((line, text))
        try:
            command = read_line(self.words(line), self._table).command.name
        except BoathookError:
            command = "?"
        if ok:
            self.done.add(command)
        else:
            self.failed.setdefault(channel, []).append(f"{line}: {text[:200]}")
        for fact, pattern in FACTS.items():
            if found := re.findall(pattern, text):
                self.facts[fact] = "".join(found[-1])

    def observing(self, line):
        """Watch a line in this process."""
        return self.observer.watch(read_line(self.words(line), self._table).arguments)

    def compare(self, line):
        """Note what a line did that its command, or one that it ran, does not declare."""
        self.observed |= self.observer.seen.keys()
        if missing := undeclared(self.observer.calls, self.observer.seen):
            self.undeclared[line] = missing
        bare = [(replace(command, side_effects=()), given) for command, given in self.observer.calls]
        self.found_without_facts |= bool(undeclared(bare, self.observer.seen))

    def stdin_of(self, line):
        if line.startswith("auth save"):
            return self.site.values["vault"]
        return COOKIES.format(**self.site.values) if line.endswith("import -") else None

    def channel(self, name):
        return "\n".join(text for _line, text in self.said.get(name, ()))


def forms_of(secret):
    return {secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode()}


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    home = tmp_path_factory.mktemp("walk")
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(home))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        patch.delenv(name, raising=False)
    site = SecretSite()
    with foreign_chromium() as (_process, profile):
        made = Walk(site, home / "work", asyncio.run(port_of(profile)))
        made.folder.mkdir()
        unchecked = dict.fromkeys(("check_console", "check_errors", "check_network"), False)
        pages = {"page": [{"url": f"{site.origin}/desk", **unchecked}]}
        (made.folder / "pages.json").write_text(json.dumps(pages))
        made.observer = Observer(
            home, made.folder, browsers=[realpath(find_browser().path)], endpoint=made.port
        )
        try:
            with made.observer.installed(patch):
                on_the_command_line(made, home)
            asyncio.run(over_mcp(made, tmp_path_factory.mktemp("mcp")))
            asyncio.run(in_python(made))
            yield made
        finally:
            site.close()
            patch.undo()


def on_the_command_line(walk, home):
    """All lines twice: answered as text, and as JSON in another session."""
    portal = Portal()

    async def host():
        return Host()

    serving = portal.call(host())
    try:
        for session in ("text", "json") if THOROUGH else ("mixed",):
            for number, line in enumerate(PLAN["lines"]):
                form = session if THOROUGH else ("text", "json")[number % 2]
                words = walk.words(line)
                options = ["--json"] if form == "json" else []
                options += [] if words[0] == "--session" else ["--session", f"walk-{session}"]
                with walk.observing(line):
                    answer = portal.call(
                        serving.answer(_asked(walk, [*options, *words], line), lambda _text: None)
                    )
                walk.compare(line)
                walk.note(form, line, answer.out + answer.err, ok=answer.exit == 0)
        for line in PLAN["failing"]:
            with walk.observing(line):
                portal.call(
                    serving.answer(
                        _asked(walk, ["--session", f"walk-{session}", *walk.words(line)], line),
                        lambda _text: None,
                    )
                )
            walk.compare(line)
        for name, given in [(name, given) for calls in VIEWS.values() for name, given in calls]:
            filled = {
                key: int(walk.facts["uid"]) if key == "uid" else walk.filled(value)
                for key, value in given.items()
            }
            command = _command_of_tool(name, given)
            with walk.observer.watch(filled):
                portal.call(serving.run(_asked_by_name(walk, command, filled), lambda _text: None))
            walk.compare(f"{command} {filled}")
        # The page of the second browser is as new for the daemon that is asked next.
        blank = {"browser_url": walk.facts["endpoint"], "url": "about:blank"}
        portal.call(serving.run(_asked_by_name(walk, "browser_navigate", blank), lambda _text: None))
        for name, arguments in PLAN["by_name"].items():
            outcome = portal.call(serving.run(_asked_by_name(walk, name, arguments), lambda _text: None))
            walk.said["json"].append((name, json.dumps(outcome)))
            if outcome["ok"]:
                walk.done.add(name)
    finally:
        portal.call(serving.close())
        portal.close()
    kept = [path for path in (home / ".local").rglob("*") if path.is_file()]
    walk.said["journal"] = [
        ("", path.read_text(errors="replace")) for path in kept if "history" in path.parts
    ]
    walk.said["kept"] = [("", path.read_text(errors="replace")) for path in kept if path.suffix != ".pdf"]


def _asked(walk, argv, line):
    return CommandLine(
        argv=tuple(argv),
        cwd=str(walk.folder),
        terminal=Terminal(is_tty=False, columns=80, colour=False),
        environment={"WALK_ENVIRONMENT": walk.site.values["environment"], "BOATHOOK_TIMEOUT": "20"},
        stdin=walk.stdin_of(line),
        owner=Owner(pid=1, start_time=None),
    )


def _asked_by_name(walk, name, arguments):
    return CallRequest(
        command=name,
        arguments=arguments,
        settings={"session": "walk-json" if THOROUGH else "walk-mixed"},
        cwd=str(walk.folder),
        environment={},
        owner=Owner(pid=1, start_time=None),
        surface=Surface.PYTHON,
        client="walk",
    )


def _command_of_tool(name, given):
    """The command of a tool of another program."""
    if name == "browser":
        return "single_browser" if given.get("action") in SINGLE_ACTIONS else "named_browser"
    return name if name.startswith("browser_") else f"scripted_{name}"


async def over_mcp(walk, folder):
    """The same lines over a real client, and the tools of other programs."""
    home = Home(folder)
    home.configure(
        f'output_roots = ["{walk.folder}"]\n[secrets]\nwalk = {{ env = "WALK_ENVIRONMENT", origins = ["{walk.site.origin}"] }}\n'
    )
    variables = {"WALK_ENVIRONMENT": walk.site.values["environment"]}
    allowed = ("--evaluate-enabled", "--scripts-enabled")
    try:
        async with home.client("--tools", "argv", *allowed, variables=variables) as client:
            for line in PLAN["lines"] if THOROUGH else PLAN["lines"][:SAMPLE]:
                given = {"args": walk.words(line)}
                if (stdin := walk.stdin_of(line)) is not None and "import" in line:
                    given["stdin"] = stdin
                answer = await client.call_tool("agent_browser", given)
                walk.note("mcp", line, repr(answer), ok=not answer.is_error, read=text_of(answer))
        for tools, calls in VIEWS.items():
            async with home.client("--tools", tools, *allowed, variables=variables) as client:
                for name, given in calls:
                    filled = {key: walk.filled(value) for key, value in given.items()}
                    filled |= {"uid": int(filled["uid"])} if "uid" in filled else {}
                    answer = await client.call_tool(name, filled)
                    walk.said.setdefault("views", []).append((f"{tools} {name}", repr(answer)))
                    walk.texts.setdefault("views", []).append((f"{tools} {name}", text_of(answer)))
                    command = {"single": "single_browser", "named": "named_browser"}.get(tools, name)
                    command = f"scripted_{name}" if tools == "scripted" else command
                    if not answer.is_error:
                        walk.done.add(command)
                    else:
                        walk.failed.setdefault("views", []).append(f"{tools} {name}: {answer.content}")
                    if found := re.search(r"\[?(\d+)\]?[^\n]{0,20}Password", text_of(answer)):
                        walk.facts["uid"] = found[1]
    finally:
        home.say("daemon", "stop")


def text_of(answer):
    return "\n".join(part.text for part in answer.content if part.type == "text")


async def in_python(walk):
    """What the library hands back, as programs print it; what a program's own script returns is its own business."""
    told = []
    async with await boathook.launch() as browser:
        tab = await browser.open(f"{walk.site.origin}/desk?access_token={walk.site.values['url_query']}")
        results = [
            browser, tab, await tab.click("#pw"), await tab.hover("#otp"), await tab.fill("#csc", walk.site.values["card_field"]),
            await tab.get_value("#pw"), await tab.get_attribute("#pw", "value"), await tab.cookies(), await tab.storage(),
            await tab.storage("session"), await tab.wait_for("#pw"), await tab.requests(), await browser.tabs(), await browser.pages(),
        ]  # fmt: skip
        told = [f"{result!r}\n{result}" for result in results]
    walk.said["python"] = [("", f"{MARK} {text}") for text in told]


def check_channels(walk):
    leaks = {
        (channel, place, line, text[max(0, text.find(form) - 80) : text.find(form) + 60])
        for channel, said in walk.said.items()
        for line, text in said
        for place in PLACES
        for form in forms_of(walk.site.values[place])
        if form in text
    }
    assert leaks == set()


def check_lines(walk):
    """No line that a page has written outside of boundaries; a flag where JSON has a string of a page."""
    forged = {
        (channel, line, tuple(found))
        for channel in ("text", "mcp", "views")
        for line, text in walk.texts[channel]
        if (found := forged_in(text))
    }
    assert forged == set()
    unmarked = {
        line
        for line, text in walk.texts["json"]
        if "forged" in text and json.loads(text).get("untrusted") is not True
    }
    assert unmarked == set()
    reached = {channel: sum("forged" in text for _line, text in said) for channel, said in walk.texts.items()}
    assert min(reached.values()) > LEAST_FORGED, reached


def check_reach(walk):
    used = [place for place in PLACES if place not in {"card_field", "response_header"}]
    missing = [
        place
        for place in used
        if not any(form in walk.site.seen for form in forms_of(walk.site.values[place]))
    ]
    assert missing == []
    assert {channel: MARK in walk.channel(channel) for channel in walk.said if channel != "journal"} == {
        channel: True for channel in walk.said if channel != "journal"
    }
    assert "REDACTED" in walk.channel("journal")
    assert all(
        "[REDACTED]" in walk.channel(channel) for channel in ("text", "json", "mcp", "views", "python")
    )


def check_commands(walk):
    every = set(catalogue())
    left = every - walk.done - set(PLAN["not_run"])
    assert left == set(), "\n".join(map(str, walk.failed.items()))
    assert len(walk.done) / len(every) >= LEAST_SHARE
    assert set(PLAN["not_run"]) <= every


def check_files(walk):
    written = [path for path in walk.folder.iterdir() if path.suffix in READ_WHOLE]
    assert {path.suffix for path in written} >= {".har", ".json", ".cpuprofile", ".heapsnapshot"}
    leaks = {
        (path.name, place)
        for path in written
        for text in [path.read_text(errors="replace")]
        for place in PLACES
        if walk.site.values[place] in text
    }
    assert leaks == set()
    assert MARK in (walk.folder / "all.har").read_text()
    assert "strings" in json.loads((walk.folder / "page.heapsnapshot").read_text(errors="replace"))


# Answers tell of the first two; what changes the machine would install a browser or remove old records, and is not run here.
UNOBSERVED = {SideEffect.REVEALS_SECRETS, SideEffect.WRITES_DOWNLOAD, SideEffect.CHANGES_MACHINE}


def check_effects(walk):
    """What calls do is what they declare, and policies decide on that."""
    assert walk.undeclared == {}, json.dumps(walk.undeclared, indent=1)
    assert walk.found_without_facts, "the control: commands without their facts are found out"
    unseen = {*SideEffect} - walk.observed - UNOBSERVED
    assert unseen == set(), "the control: everything that can be declared was seen to be done"


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_no_command_prints_a_secret_or_a_forged_line_on_any_channel(walk):
    """One test, since every worker that has one of several would make the whole walk."""
    check_effects(walk)
    check_channels(walk)
    check_lines(walk)
    check_reach(walk)
    check_commands(walk)
    check_files(walk)
