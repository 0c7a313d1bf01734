"""Settings: one table of names, kinds, defaults and help text, from which flags, variables and files are derived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boathook.effects import SideEffect

SettingKind = Literal["text", "flag", "number", "integer", "choice", "path", "texts", "paths"]
Narrowing = Literal["", "fewer", "more", "no", "yes"]
Locking = Literal["", "fewer", "more", "no", "yes", "folders", "least", "fixed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting, from any source."""

    name: str
    kind: SettingKind
    doc: str
    default: object = None
    choices: tuple[str, ...] = ()
    launches: bool = False
    """A launch setting: it cannot change for a running browser."""
    trusted_only: bool = False
    """Project files may not set it: a repository could run programs or read files with it."""
    per_call: bool = False
    """It is about single calls: in the file of a project it would disturb or hide every call."""
    alias_of: str = ""
    """The setting that it is the opposite of."""
    bare: str = ""
    """The value of the flag alone; empty if it requires a value."""
    narrows: Narrowing = ""
    """What an untrusted source may do with it: remove values, add values, or only set it to false or true."""
    locks: Locking = ""
    """How a policy file limits it: as `narrows`, or to folders, a number at most, or exactly its value."""
    strictest: str = ""
    """The only choice that a policy file may set."""
    effects: tuple[SideEffect, ...] = ()
    """What a call that sets it does, besides what its command does; policies decide on these too."""
    loses_state: bool = False
    """It closes what is open, so it is not suggested for a word that is only similar."""

    @property
    def flag(self) -> str:
        """How it is written on a command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def locking(self) -> Locking:
        """How a policy file limits it; empty if it cannot."""
        return self.locks or self.narrows

    @property
    def variable(self) -> str:
        """The environment variable."""
        return "BOATHOOK_" + self.name.upper()


def _setting(name: str, kind: SettingKind, doc: str, **more: object) -> Setting:
    return Setting(name=name, kind=kind, doc=doc, **more)  # type: ignore[arg-type]


SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        _setting("session", "text", "session name; each session has its own tabs and cookies", per_call=True),
        _setting(
            "fresh",
            "flag",
            "start a new session instead of using the current one",
            default=False,
            per_call=True,
            loses_state=True,
        ),
        _setting(
            "ends_with",
            "integer",
            "process id: close a session started by this call when the process exits",
            per_call=True,
        ),
        _setting(
            "max_browsers",
            "integer",
            "maximum number of running browsers",
            trusted_only=True,
            locks="least",
        ),
        _setting("tab", "text", "tab id or label to use instead of the current tab", per_call=True),
        _setting(
            "matches",
            "choice",
            "if several elements match: fail and list them (one), or take the first of the document (first)",
            choices=("one", "first"),
            per_call=True,
        ),
        _setting(
            "follow_tabs", "flag", "continue in the tab that an action opens", default=False, per_call=True
        ),
        _setting(
            "cdp",
            "text",
            "attach to a running browser: CDP port or URL",
            launches=True,
            trusted_only=True,
            effects=(SideEffect.ATTACHES_BROWSER,),
        ),
        _setting(
            "browser",
            "text",
            "browser to use: managed (default), a path to a Chromium, cdp:URL, app:PROGRAM for a desktop app with CDP, or relay for your own Chrome",
            launches=True,
            trusted_only=True,
            effects=(SideEffect.ATTACHES_BROWSER,),
        ),
        _setting(
            "app_args",
            "texts",
            "command-line arguments for an app",
            launches=True,
            trusted_only=True,
            effects=(SideEffect.RUNS_PROGRAM,),
        ),
        _setting("headed", "flag", "show the browser window", default=False, launches=True),
        _setting(
            "executable",
            "path",
            "browser executable to start",
            launches=True,
            trusted_only=True,
            effects=(SideEffect.RUNS_PROGRAM,),
        ),
        _setting(
            "profile",
            "path",
            "profile folder to keep between sessions, or the name of one of your browser's profiles to copy",
            launches=True,
            trusted_only=True,
            effects=(SideEffect.READS_STATE,),
        ),
        _setting(
            "state",
            "path",
            "state file to load when the session starts",
            launches=True,
            trusted_only=True,
            effects=(SideEffect.READS_FILE, SideEffect.WRITES_STATE),
        ),
        _setting(
            "restore",
            "text",
            "restore cookies and storage saved under this name, and save them when the session closes; without a value, use the session name",
            trusted_only=True,
            effects=(SideEffect.READS_STATE, SideEffect.WRITES_STATE),
            bare="@session",
        ),
        _setting(
            "restore_save",
            "choice",
            "with restore: when to save: auto (if the check passes), always or never",
            choices=("auto", "always", "never"),
            trusted_only=True,
        ),
        _setting(
            "restore_check_url",
            "text",
            "with restore: save only if the URL matches a substring or glob",
            trusted_only=True,
        ),
        _setting(
            "restore_check_text",
            "text",
            "with restore: save only if the page shows this text",
            trusted_only=True,
        ),
        _setting(
            "restore_check_fn",
            "text",
            "with restore: save only if this script returns a truthy value in the page",
            trusted_only=True,
            effects=(SideEffect.RUNS_PAGE_SCRIPT,),
        ),
        _setting(
            "restore_interval",
            "number",
            "with restore: seconds between saves; 0 saves on close only",
            trusted_only=True,
        ),
        _setting(
            "encrypt_states",
            "flag",
            "encrypt saved states; the key is in the system keyring, a private file or BOATHOOK_ENCRYPTION_KEY",
            narrows="yes",
        ),
        _setting(
            "viewport",
            "text",
            "viewport size, such as 1365x768",
            launches=True,
            effects=(SideEffect.EMULATES,),
        ),
        _setting(
            "user_agent",
            "text",
            "User-Agent string for all tabs",
            launches=True,
            effects=(SideEffect.EMULATES,),
        ),
        _setting(
            "color_scheme",
            "choice",
            "prefers-color-scheme for all tabs",
            choices=("dark", "light", "no-preference"),
            launches=True,
        ),
        _setting(
            "input_mode",
            "choice",
            "how the mouse moves to its target: instant, smooth, or along a human-like path",
            choices=("instant", "smooth", "human"),
            launches=True,
        ),
        _setting("scrollbars", "flag", "show scrollbars in headless browsers too", launches=True),
        _setting(
            "init_script",
            "paths",
            "script files to run in every new document before the page's own scripts",
            launches=True,
            trusted_only=True,
            effects=(SideEffect.READS_FILE, SideEffect.RUNS_PAGE_SCRIPT),
        ),
        _setting(
            "dialogs",
            "choice",
            "how to handle dialogs: accept, dismiss or hold (default: accept alerts, hold the rest)",
            choices=("accept", "dismiss", "hold"),
            launches=True,
            trusted_only=True,
            effects=(SideEffect.ANSWERS_DIALOGS,),
        ),
        _setting(
            "proxy",
            "text",
            "proxy for all pages, such as http://127.0.0.1:8080",
            launches=True,
            trusted_only=True,
            locks="fixed",
        ),
        _setting(
            "proxy_bypass",
            "texts",
            "hosts to connect to without the proxy, such as localhost,*.example.net",
            launches=True,
            trusted_only=True,
            locks="fixed",
        ),
        _setting(
            "sandbox",
            "choice",
            "Chromium's sandbox",
            choices=("auto", "require", "off"),
            launches=True,
            trusted_only=True,
            locks="fixed",
            strictest="require",
        ),
        _setting(
            "stealth",
            "choice",
            "how much automation is hidden from pages, in browsers started by Boathook",
            choices=("basic", "full", "off"),
            launches=True,
        ),
        _setting(
            "ignore_certificate_errors",
            "flag",
            "accept untrusted TLS certificates",
            default=False,
            launches=True,
            trusted_only=True,
            locks="no",
        ),
        _setting(
            "ca_bundle",
            "path",
            "file with additional CA certificates to trust",
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "allow_file_access",
            "flag",
            "allow file: URLs",
            default=False,
            launches=True,
            trusted_only=True,
            locks="no",
        ),
        _setting("headless", "flag", "run without a window: the opposite of --headed", alias_of="headed"),
        _setting(
            "allowed_domains",
            "texts",
            "allow only these hosts, such as example.org,*.example.net",
            launches=True,
            narrows="fewer",
        ),
        _setting(
            "denied_domains",
            "texts",
            "deny these hosts",
            launches=True,
            narrows="more",
        ),
        _setting(
            "allow_private",
            "flag",
            "allow loopback and private network addresses",
            launches=True,
            narrows="no",
        ),
        _setting("enabled", "flag", "allow this agent to use a browser", narrows="no"),
        _setting(
            "evaluate_enabled",
            "flag",
            "allow scripts in pages; off by default over MCP",
            narrows="no",
        ),
        _setting(
            "scripts_enabled",
            "flag",
            "allow script programs (run); off by default over MCP",
            narrows="no",
        ),
        _setting(
            "script_engine",
            "choice",
            "default engine for Python scripts; over MCP also the least restricted one allowed",
            choices=("safe", "jail"),
            trusted_only=True,
            locks="fixed",
            strictest="safe",
        ),
        _setting(
            "confirm_actions",
            "texts",
            "commands, categories, groups or effects that require confirmation, such as upload,state,acts",
            narrows="more",
        ),
        _setting(
            "stop_before",
            "texts",
            "refuse clicks on what these phrases name, and Enter; on: what completes an order or a payment",
            narrows="more",
        ),
        _setting(
            "required_artifacts",
            "texts",
            "files that must be saved before the session may be closed",
            narrows="more",
        ),
        _setting(
            "action_policy",
            "path",
            "JSON file that allows, denies or requires confirmation for categories of commands, for the whole session",
            trusted_only=True,
        ),
        _setting(
            "upload_roots",
            "paths",
            "folders that files may be uploaded from",
            trusted_only=True,
            locks="folders",
        ),
        _setting(
            "output_roots",
            "paths",
            "folders that files may be written to",
            trusted_only=True,
            locks="folders",
        ),
        _setting("screenshot_dir", "path", "folder for screenshots without a path", trusted_only=True),
        _setting("download_path", "path", "folder for downloads without a path", trusted_only=True),
        _setting(
            "idle_timeout",
            "text",
            "close a session after being idle for this long: 10s, 3m or 1h; a bare number is milliseconds, 0 means never",
            trusted_only=True,
        ),
        _setting(
            "config",
            "path",
            "settings file to use instead of the user's and the project's boathook.toml",
            trusted_only=True,
        ),
        _setting(
            "compat",
            "choice",
            "read command lines and print answers as this program does",
            choices=("agent-browser",),
            trusted_only=True,
        ),
        _setting("json", "flag", "print JSON", default=False, per_call=True),
        _setting(
            "structured",
            "flag",
            "over MCP, also return results as structured content, with output schemas",
            default=False,
        ),
        _setting(
            "debug",
            "flag",
            "also print the CDP messages sent and how long they took",
            default=False,
            per_call=True,
        ),
        _setting(
            "output",
            "path",
            "also write the result to this file: its data as JSON or its text; .md and .txt: the text, .csv: the rows of its tables",
            per_call=True,
            effects=(SideEffect.WRITES_FILE,),
        ),
        _setting("timeout", "number", "timeout of the call in seconds", per_call=True),
        _setting(
            "max_output",
            "integer",
            "maximum characters to print; the rest is saved to a file",
            per_call=True,
        ),
        _setting(
            "boundaries",
            "flag",
            "mark page content, so that pages cannot forge tool output",
            default=None,
            narrows="yes",
        ),
        _setting("color", "choice", "colored output", choices=("auto", "always", "never"), default="auto"),
    )
}
"""In the order of help."""
