"""Whether a call is in the agent-browser mode: by a flag, a variable, the user's file, or the name of the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.service.input.configuration import user_file
from boathook.service.input.configuration_file import read_file
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAME = "agent-browser"
SETTING = SETTINGS["compat"]
PREFIX = "AGENT_BROWSER_"
DEFAULTS: Mapping[str, Any] = {"matches": "first", "follow_tabs": True, "boundaries": False}
"""Settings of the mode; files, variables and flags override them."""
SAME_NAMES = (
    "SESSION",
    "RESTORE",
    "RESTORE_SAVE",
    "RESTORE_CHECK_URL",
    "RESTORE_CHECK_TEXT",
    "RESTORE_CHECK_FN",
    "PROFILE",
    "STATE",
    "HEADED",
    "USER_AGENT",
    "ALLOW_FILE_ACCESS",
    "COLOR_SCHEME",
    "DOWNLOAD_PATH",
    "PROXY",
    "PROXY_BYPASS",
    "CDP",
    "JSON",
    "MAX_OUTPUT",
    "DEBUG",
    "ALLOWED_DOMAINS",
    "ACTION_POLICY",
    "CONFIRM_ACTIONS",
    "INPUT_MODE",
    "SCREENSHOT_DIR",
    "ENCRYPTION_KEY",
)
"""Variables that mean the same here."""
OTHER_NAMES = {
    "SESSION_NAME": "RESTORE",
    "EXECUTABLE_PATH": "EXECUTABLE",
    "IGNORE_HTTPS_ERRORS": "IGNORE_CERTIFICATE_ERRORS",
    "CA_CERT": "CA_BUNDLE",
    "CONTENT_BOUNDARIES": "BOUNDARIES",
    "INIT_SCRIPTS": "INIT_SCRIPT",
    "IDLE_TIMEOUT_MS": "IDLE_TIMEOUT",
}
"""Variables with another name here."""
OURS = {**{name: name for name in SAME_NAMES}, **OTHER_NAMES}


def is_on(argv: Sequence[str], environment: Mapping[str, str], folder: str) -> bool:
    """Whether a command line is one for agent-browser."""
    if _flag_at(argv) is not None or environment.get(SETTING.variable) == NAME:
        return True
    named = environment.get(SETTINGS["config"].variable)
    return read_file(Path(folder, named) if named else user_file(environment)).top.get(SETTING.name) == NAME


def without_flag(argv: Sequence[str]) -> list[str]:
    """The line without the flag that switches the mode on."""
    words, at = list(argv), _flag_at(argv)
    if at is not None:
        del words[at : at + (1 if "=" in words[at] else 2)]
    return words


def _flag_at(argv: Sequence[str]) -> int | None:
    for place, word in enumerate(argv):
        if word == f"{SETTING.flag}={NAME}" or (
            word == SETTING.flag and list(argv[place + 1 : place + 2]) == [NAME]
        ):
            return place
    return None


def our_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with the variables of agent-browser under our names; ours win."""
    meant = {
        f"BOATHOOK_{OURS[name.removeprefix(PREFIX)]}": value
        for name, value in environment.items()
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) in OURS
    }
    timeout = environment.get(f"{PREFIX}DEFAULT_TIMEOUT", "")
    if timeout.isdecimal():
        meant[SETTINGS["timeout"].variable] = f"{timeout}ms"
    return {**meant, **environment}


def wants_help(argv: Sequence[str]) -> bool:
    """Whether a line asks for help, which is the same in every mode."""
    return not argv or argv[0] == "help" or bool({"--help", "-h"} & set(argv))
