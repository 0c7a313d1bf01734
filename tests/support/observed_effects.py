"""What a call really does, seen from outside of it: messages to the browser, files, processes and connections."""

import json
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path

from boathook.cdp.connection import Connection
from boathook.effects import Effect, SideEffect
from boathook.engine.page_scripts import walker_source
from boathook.engine.qa import check_page
from boathook.engine.secrets.page_secrets import note_page_secrets
from boathook.service import runner
from boathook.service.policy.categories import categories_of

TEXT_KEYS = frozenset({*map(chr, range(32, 127)), "Delete", "Backspace"})
NO_KEY = "Unidentified"
"""`fill` says that a key was released, for filters that listen to keys only; no key is."""
LONG_ENOUGH = 6
"""Shorter arguments also occur in scripts of ours."""
NAVIGATIONS = ("Page.navigate", "Target.createTarget")
ACTIONS = ("Input.", "Page.navigate", "Page.reload", "Page.handleJavaScriptDialog", "Target.closeTarget")
CHANGES = ("Emulation.set", "Network.setExtraHTTPHeaders", "Browser.grantPermissions", "Fetch.enable")
SCRIPTS = {
    "Runtime.evaluate": "expression",
    "Runtime.callFunctionOn": "functionDeclaration",
    "Page.addScriptToEvaluateOnNewDocument": "source",
}
STATE_READS = (
    "Network.getCookies",
    "Storage.getCookies",
    "Network.getAllCookies",
    "DOMStorage.getDOMStorageItems",
)
STATE_WRITES = (
    "Network.setCookie", "Network.deleteCookies", "Network.clearBrowserCookies", "Storage.setCookies", "Storage.clearCookies",
    "Storage.clearDataForOrigin", "DOMStorage.setDOMStorageItem", "DOMStorage.removeDOMStorageItem", "DOMStorage.clear",
)  # fmt: skip
EMULATIONS = (
    "Emulation.setGeolocationOverride", "Emulation.setTimezoneOverride", "Emulation.setLocaleOverride",
    "Emulation.setEmulatedMedia", "Emulation.setCPUThrottlingRate",
)  # fmt: skip
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
SYSTEM = (
    "/usr",
    "/lib",
    "/etc",
    "/proc",
    "/sys",
    "/dev",
    "/run",
    "/opt",
    "/bin",
    sys.prefix,
    sys.base_prefix,
)
SOURCES = str(Path(__file__).resolve().parents[2])
RECORDS = ("history", "texts", "artifacts", "sessions", "screenshots")
"""Where Boathook writes down what was done, for every call, and puts files that were given no path."""
BROWSERS_OWN = (".cache", ".pki", ".config/chromium")
"""Where libraries of the browser write, below the home folder."""
NOT_CHOSEN = ("ffmpeg", "ldconfig", "gcc", "/ld", "objdump")
"""Programs that neither the caller nor a page chooses: the encoder, and those that Python asks for the name of a library."""
EXEMPT = {"artifacts": {SideEffect.READS_FILE, SideEffect.READS_STATE}}
"""It compares digests of files that were saved; their content is not returned."""

IN_CATEGORY = {
    "interact": SideEffect.PRESSES_KEYS,
    "network": SideEffect.CHANGES_TRAFFIC,
    "emulate": SideEffect.EMULATES,
}
"""What commands of a category may do without declaring it each."""

_listening = []


def _hear(event, arguments):
    if _listening:
        _listening[-1].on_event(event, arguments)


sys.addaudithook(_hear)


class Observer:
    """Watches one call after another in this process."""

    def __init__(self, home, work, *, browsers, endpoint):
        self.home, self.work = Path(home), Path(work)
        self._browsers = {str(browser) for browser in browsers}
        self._endpoint = endpoint
        self._paused = 0
        self._arguments = ()
        self._read, self._written = {}, set()
        self._settings = set()
        self.calls = []
        """Every command that the runner ran, with its arguments."""
        self.seen = {}
        """Each effect with its evidence."""

    @contextmanager
    def watch(self, arguments):
        """Watch a call with these arguments; `seen` is what it did."""
        self.seen, self._arguments = {}, tuple(_texts(arguments))
        self._read, self._written, self.calls = {}, set(), []
        before = self._files()
        _listening.append(self)
        try:
            yield self
        finally:
            _listening.pop()
            after = self._files()
            for path in {*after, *before}:
                if before.get(path) != after.get(path):
                    self._on_written(path)
            for path, effect in self._read.items():
                if path not in self._written:  # a file that was just written is read to verify it
                    self._note(effect, path)

    @contextmanager
    def installed(self, patch):
        """Hear the messages of every connection, and not the look for secrets that follows each call."""
        look = note_page_secrets

        async def quietly(*given, **more):
            self._paused += 1
            try:
                return await look(*given, **more)
            finally:
                self._paused -= 1

        patch.setattr(runner, "note_page_secrets", quietly)
        patch.setattr(check_page, "note_page_secrets", quietly)
        run_command = runner.Runner._run_command

        async def noting(service, call, context):
            self.calls.append((call.command, dict(call.arguments)))
            return await run_command(service, call, context)

        patch.setattr(runner.Runner, "_run_command", noting)
        created = Connection.__init__

        def listening(connection, *given, **more):
            created(connection, *given, **more)
            connection.on_traffic = self.on_traffic

        patch.setattr(Connection, "__init__", listening)
        yield self

    def on_traffic(self, direction, _session, raw):
        if direction != "sent" or self._paused or not _listening:
            return
        message = json.loads(raw)
        method, params = message["method"], message.get("params", {})
        if method.startswith(ACTIONS) or (
            method == "Target.createTarget" and params.get("url") != "about:blank"
        ):
            self._note(Effect.ACTS, method)
        if method.startswith(CHANGES):
            self._note(Effect.CHANGES_BROWSER, method)
        if method in NAVIGATIONS and str(params.get("url")).startswith("http"):
            self._note(SideEffect.REACHES_HOST, params["url"])
        if method in STATE_READS:
            self._note(SideEffect.READS_STATE, method)
        if method.startswith(STATE_WRITES):
            self._note(SideEffect.WRITES_STATE, method)
        if method == "Input.dispatchKeyEvent" and params.get("key", " ") not in {*TEXT_KEYS, NO_KEY}:
            self._note(SideEffect.PRESSES_KEYS, params["key"])
        self._on_setting(method, params)
        if method == "Page.handleJavaScriptDialog":
            self._note(SideEffect.ANSWERS_DIALOGS, str(params))
        if method == "DOM.setFileInputFiles":
            self._note(SideEffect.SENDS_FILE, str(params))
        if method in SCRIPTS:
            code = STRING.sub('""', params.get(SCRIPTS[method], "").replace(walker_source(), ""))
            for text in self._arguments:
                if len(text) >= LONG_ENOUGH and text in code:
                    self._note(SideEffect.RUNS_PAGE_SCRIPT, text)

    def _on_setting(self, method, params):
        """A setting is an effect of the call that makes it, not of later ones that open a tab, which gets it too."""
        changes_traffic = (method == "Network.setExtraHTTPHeaders" and params.get("headers")) or (
            method == "Network.emulateNetworkConditions" and params.get("offline")
        )
        if not changes_traffic and method not in EMULATIONS:
            return
        setting = (method, json.dumps(params, sort_keys=True))
        if setting not in self._settings:
            self._settings.add(setting)
            effect = SideEffect.CHANGES_TRAFFIC if changes_traffic else SideEffect.EMULATES
            self._note(effect, f"{method} {params}")

    def on_event(self, event, arguments):
        if event == "open" and isinstance(arguments[0], str | bytes):
            self._on_opened(os.fsdecode(arguments[0]), arguments[2] or 0)
        elif event in {"subprocess.Popen", "os.posix_spawn", "os.exec"}:
            program = os.path.realpath(os.fsdecode(arguments[0] or arguments[1][0]))
            if program not in self._browsers and not any(name in program for name in NOT_CHOSEN):
                self._note(SideEffect.RUNS_PROGRAM, program)
        elif event == "socket.connect" and isinstance(arguments[1], tuple):
            host, port = arguments[1][:2]
            attached = port == self._endpoint
            self._note(SideEffect.ATTACHES_BROWSER if attached else SideEffect.REACHES_HOST, f"{host}:{port}")

    def _on_opened(self, path, flags):
        """Reading; what is written shows in the files themselves, also if the browser wrote it."""
        if (
            flags & (os.O_WRONLY | os.O_RDWR)
            or not path.startswith("/")
            or path.startswith((*SYSTEM, SOURCES))
        ):
            return
        state = self.home / ".local/state/boathook"
        if Path(path).is_relative_to(state):
            kept = Path(path).relative_to(state).parts[0]
            if kept in {"states", "vault"}:
                self._read[path] = SideEffect.READS_STATE
        elif Path(path).is_relative_to(self.work):
            self._read[path] = SideEffect.READS_FILE

    def _on_written(self, path):
        self._written.add(str(path))
        if str(path.relative_to(self.home)).startswith(BROWSERS_OWN):
            return
        if path.is_relative_to(self.work):
            self._note(SideEffect.WRITES_FILE, str(path))
            return
        state = self.home / ".local/state/boathook"
        kept = path.relative_to(state).parts[0] if path.is_relative_to(state) else ""
        if kept == "states":
            self._note(SideEffect.WRITES_STATE, str(path))
        elif kept == "vault" and "logins" in path.parts:
            self._note(SideEffect.WRITES_LOGIN, str(path))
        elif kept == "vault":  # a key, which the first encrypted file needs
            self._note(SideEffect.WRITES_STATE, str(path))
        elif kept not in RECORDS:
            self._note(SideEffect.CHANGES_MACHINE, str(path))

    def _files(self):
        found = {}
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = Path(folder, name)
                try:
                    facts = path.lstat()
                except FileNotFoundError:
                    continue
                found[path] = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
        return found

    def _note(self, effect, evidence):
        self.seen.setdefault(effect, evidence[:200])


def undeclared(calls, seen):
    """What was done that no command which ran declares."""
    declared = {effect for command, arguments in calls for effect in _declared(command, arguments)}
    return {effect.value: evidence for effect, evidence in seen.items() if effect not in declared}


def _declared(command, arguments):
    declared = set(command.side_effects_of(arguments)) | EXEMPT.get(command.name, set())
    if declared & {SideEffect.WRITES_DOWNLOAD, SideEffect.CHANGES_MACHINE} or command.default_file_name:
        declared.add(SideEffect.WRITES_FILE)
    declared |= {IN_CATEGORY[name] for name in categories_of(command, arguments) if name in IN_CATEGORY}
    if "interact" in categories_of(command, arguments):
        declared.add(SideEffect.ANSWERS_DIALOGS)
    if SideEffect.CHANGES_MACHINE in declared:
        declared.add(SideEffect.RUNS_PROGRAM)
    if SideEffect.SENDS_FILE in declared:
        declared.add(SideEffect.READS_FILE)
    if SideEffect.WRITES_STATE in declared or SideEffect.WRITES_LOGIN in declared:
        declared |= {SideEffect.READS_STATE, SideEffect.WRITES_STATE}  # what is replaced is read first
    if command.effect is not Effect.READS:
        declared.add(Effect.ACTS)
        declared.add(Effect.CHANGES_BROWSER)
    return declared


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
