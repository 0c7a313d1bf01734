"""Settings: one table of names, kinds, defaults and words for help; flags, environment and files all follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SettingKind = Literal["text", "flag", "number", "integer", "choice", "path", "texts", "paths"]
Narrowing = Literal["", "fewer", "more", "no", "yes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting, wherever it is given."""

    name: str
    kind: SettingKind
    doc: str
    default: object = None
    choices: tuple[str, ...] = ()
    launches: bool = False
    """It says how a browser is started, so it cannot change for one that runs."""
    trusted_only: bool = False
    """A file that lies in a project may not set it: it would let a repository run programs or read files."""
    alias_of: str = ""
    """The setting that it is the opposite of: another word for the same thing."""
    bare: str = ""
    """What the flag means without a value; empty when it needs one."""
    narrows: Narrowing = ""
    """What an untrusted source may do to it: leave fewer of its values, add more of them, or only say no or yes."""

    @property
    def flag(self) -> str:
        """How it is written on a command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """The environment variable."""
        return "BOATHOOK_" + self.name.upper()


def _setting(name: str, kind: SettingKind, doc: str, **more: object) -> Setting:
    return Setting(name=name, kind=kind, doc=doc, **more)  # type: ignore[arg-type]


SETTINGS: dict[str, Setting] = {
    one.name: one
    for one in (
        _setting("session", "text", "name of the session to work in; each has tabs and cookies of its own"),
        _setting(
            "fresh", "flag", "start a new session instead of going on with the present one", default=False
        ),
        _setting(
            "ends_with", "integer", "number of a process: a session that this call starts ends when that does"
        ),
        _setting("max_browsers", "integer", "browsers that may run at the same time"),
        _setting("tab", "text", "tab to work on, by id or label, instead of the present one"),
        _setting(
            "cdp",
            "text",
            "work in a browser that listens: a port or an address",
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "browser",
            "text",
            "which browser: managed (ours), the path of a Chromium, cdp:ADDRESS, app:PROGRAM for a desktop app that speaks CDP, or relay for your own Chrome",
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "app_args",
            "texts",
            "words for the command line of an app that is started",
            launches=True,
            trusted_only=True,
        ),
        _setting("headed", "flag", "show the browser's window", default=False, launches=True),
        _setting("executable", "path", "browser program to start", launches=True, trusted_only=True),
        _setting(
            "profile",
            "path",
            "folder of a profile that is kept between sessions; or the name of one of your own browser's, of which a copy is used",
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "state", "path", "state file to load when the session starts", launches=True, trusted_only=True
        ),
        _setting(
            "restore",
            "text",
            "bring back the cookies and storage that are kept under this name, and keep them when the session closes; alone, by the session's own name",
            trusted_only=True,
            bare="@session",
        ),
        _setting(
            "restore_save",
            "choice",
            "with restore, when to keep: auto (when the check is passed), always or never",
            choices=("auto", "always", "never"),
            trusted_only=True,
        ),
        _setting(
            "restore_check_url",
            "text",
            "with restore, only keep while the address is like this: a part of it, or a glob",
            trusted_only=True,
        ),
        _setting(
            "restore_check_text",
            "text",
            "with restore, only keep while the page shows this",
            trusted_only=True,
        ),
        _setting(
            "restore_check_fn",
            "text",
            "with restore, only keep while this script says true in the page",
            trusted_only=True,
        ),
        _setting(
            "restore_interval",
            "number",
            "with restore, seconds between two saves; 0 keeps on close only",
            trusted_only=True,
        ),
        _setting(
            "encrypt_states",
            "flag",
            "encrypt states that are saved; the key is in the system's keyring, a private file or BOATHOOK_ENCRYPTION_KEY",
            narrows="yes",
        ),
        _setting("viewport", "text", "size of the page, such as 1365x768", launches=True),
        _setting("user_agent", "text", "what the browser calls itself, in all tabs", launches=True),
        _setting(
            "color_scheme",
            "choice",
            "colours that style sheets are asked for, in all tabs",
            choices=("dark", "light", "no-preference"),
            launches=True,
        ),
        _setting(
            "input_mode",
            "choice",
            "how the mouse goes to what is clicked or dragged: at once, smoothly, or as a hand does",
            choices=("instant", "smooth", "human"),
            launches=True,
        ),
        _setting("scrollbars", "flag", "show scrollbars in a browser without a window, too", launches=True),
        _setting(
            "init_script",
            "paths",
            "files with scripts that run before those of the page, in all tabs",
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "dialogs",
            "choice",
            "what happens to all dialogs of pages: accept, dismiss or hold; without it alerts are accepted and questions held",
            choices=("accept", "dismiss", "hold"),
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "proxy",
            "text",
            "proxy for all pages, such as http://127.0.0.1:8080",
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "proxy_bypass",
            "texts",
            "hosts that are reached without the proxy, such as localhost,*.example.net",
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "sandbox",
            "choice",
            "Chromium's own sandbox",
            choices=("auto", "require", "off"),
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "stealth",
            "choice",
            "how far pages are kept from noticing automation, in browsers that we start",
            choices=("basic", "full", "off"),
            launches=True,
        ),
        _setting(
            "ignore_certificate_errors",
            "flag",
            "accept certificates that nobody vouches for",
            default=False,
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "ca_bundle",
            "path",
            "file with further certificate authorities to trust",
            launches=True,
            trusted_only=True,
        ),
        _setting(
            "allow_file_access",
            "flag",
            "allow file: addresses",
            default=False,
            launches=True,
            trusted_only=True,
        ),
        _setting("headless", "flag", "show no window: the opposite of --headed", alias_of="headed"),
        _setting(
            "allowed_domains",
            "texts",
            "hosts that pages may be loaded from and may talk to, such as example.org,*.example.net; no others",
            launches=True,
            narrows="fewer",
        ),
        _setting(
            "denied_domains",
            "texts",
            "hosts that nothing may be loaded from or sent to",
            launches=True,
            narrows="more",
        ),
        _setting(
            "allow_private",
            "flag",
            "whether addresses of this machine and of private networks may be reached",
            launches=True,
            narrows="no",
        ),
        _setting("enabled", "flag", "whether there is a browser at all for this agent", narrows="no"),
        _setting(
            "evaluate_enabled",
            "flag",
            "whether scripts may be run in pages; over MCP only when it is set",
            narrows="no",
        ),
        _setting(
            "scripts_enabled",
            "flag",
            "whether programs may be run; over MCP only when it is set",
            narrows="no",
        ),
        _setting(
            "script_engine",
            "choice",
            "how scripts in Python are run that name no engine; over MCP also the widest that may be named",
            choices=("safe", "jail"),
            trusted_only=True,
        ),
        _setting(
            "confirm_actions",
            "texts",
            "commands, categories, groups or effects that a person has to confirm, such as upload,state,acts",
            narrows="more",
        ),
        _setting(
            "action_policy",
            "path",
            "JSON file that allows, denies or asks about categories of commands; it lasts as long as the session",
            trusted_only=True,
        ),
        _setting("upload_roots", "paths", "folders that files may be given to pages from", trusted_only=True),
        _setting("output_roots", "paths", "folders that files may be written to", trusted_only=True),
        _setting(
            "screenshot_dir", "path", "folder for screenshots that are given no path", trusted_only=True
        ),
        _setting("download_path", "path", "folder for downloads that are given no path", trusted_only=True),
        _setting(
            "idle_timeout",
            "text",
            "how long a session may go unused before it ends: 10s, 3m or 1h; a bare number is milliseconds, 0 is for ever",
            trusted_only=True,
        ),
        _setting(
            "config",
            "path",
            "file with settings to use instead of the user's and the project's boathook.toml",
            trusted_only=True,
        ),
        _setting("json", "flag", "answer in JSON", default=False),
        _setting(
            "structured",
            "flag",
            "over MCP, also return results as structured content, with output schemas",
            default=False,
        ),
        _setting(
            "debug", "flag", "also tell what was sent to the browser, and how long it took", default=False
        ),
        _setting("timeout", "number", "seconds that the call may take"),
        _setting("max_output", "integer", "characters of text to print; the rest goes to a file"),
        _setting(
            "boundaries",
            "flag",
            "mark what pages said, so that no page can forge what the tool says",
            default=None,
        ),
        _setting(
            "color", "choice", "colours in the output", choices=("auto", "always", "never"), default="auto"
        ),
    )
}
"""In the order of help."""
