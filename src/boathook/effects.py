"""What commands, parameters and settings do: the level that clients see, and the side effects that policies decide on."""

from __future__ import annotations

from enum import StrEnum


class Effect(StrEnum):
    """What a command changes; hints for clients are derived from it."""

    READS = "reads"
    ACTS = "acts"
    CHANGES_BROWSER = "changes browser"
    CHANGES_MACHINE = "changes machine"


class SideEffect(StrEnum):
    """What a call does besides reading or acting on the page; policies decide on these."""

    RUNS_PAGE_SCRIPT = "runs page script"
    """A page runs code that the caller has chosen."""
    RUNS_PROGRAM = "runs program"
    """A program of the caller's, or one that the caller names, runs on this machine."""
    PRESSES_KEYS = "presses keys"
    """Keys besides those of text: they move the focus, press buttons and submit forms."""
    READS_FILE = "reads file"
    SENDS_FILE = "sends file"
    """A page receives a file of this machine."""
    WRITES_FILE = "writes file"
    WRITES_DOWNLOAD = "writes download"
    """A file that a page chose is written."""
    READS_STATE = "reads state"
    """Cookies, storage, saved states or logins are read."""
    WRITES_STATE = "writes state"
    WRITES_LOGIN = "writes login"
    """Stored logins, or the key of encrypted files."""
    CHANGES_MACHINE = "changes machine"
    """Settings, stored files or programs of this machine."""
    ATTACHES_BROWSER = "attaches browser"
    """A browser that Boathook did not start, so limits on hosts do not hold there."""
    REACHES_HOST = "reaches host"
    """A host that the caller names is contacted."""
    CHANGES_TRAFFIC = "changes traffic"
    """Headers of requests, or whether there is a network."""
    EMULATES = "emulates"
    """The page sees another device."""
    ANSWERS_DIALOGS = "answers dialogs"
    REVEALS_SECRETS = "reveals secrets"
    """The answer may contain credentials of the user."""


CATEGORIES = {
    SideEffect.RUNS_PAGE_SCRIPT: "eval",
    SideEffect.RUNS_PROGRAM: "scripts",
    SideEffect.CHANGES_MACHINE: "machine",
    SideEffect.ATTACHES_BROWSER: "machine",
    SideEffect.WRITES_LOGIN: "state",
    SideEffect.WRITES_STATE: "state",
    SideEffect.READS_STATE: "state",
    SideEffect.SENDS_FILE: "upload",
    SideEffect.PRESSES_KEYS: "interact",
    SideEffect.WRITES_DOWNLOAD: "download",
    SideEffect.ANSWERS_DIALOGS: "interact",
    SideEffect.CHANGES_TRAFFIC: "network",
    SideEffect.EMULATES: "emulate",
}
"""The categories of action policies that side effects belong to, the strongest first."""
FOR_PEOPLE = frozenset({SideEffect.CHANGES_MACHINE, SideEffect.WRITES_LOGIN})
"""What only a person may do: calls from a model are denied."""
