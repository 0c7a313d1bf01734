"""What commands and parameters do: the level that clients see, and the side effects that policies decide on."""

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
    READS_FILE = "reads file"
    WRITES_FILE = "writes file"
    WRITES_DOWNLOAD = "writes download"
    """A file that a page chose is written."""
    READS_STATE = "reads state"
    """Cookies, storage, saved states or logins are read."""
    WRITES_STATE = "writes state"
    CHANGES_MACHINE = "changes machine"
    """Settings, stored files or programs of this machine."""
    ATTACHES_BROWSER = "attaches browser"
    """A browser that Boathook did not start, so limits on hosts do not hold there."""
    REACHES_HOST = "reaches host"
    """A host that the caller names is contacted."""
    REVEALS_SECRETS = "reveals secrets"
    """The answer may contain credentials of the user."""


CATEGORIES = {
    SideEffect.RUNS_PAGE_SCRIPT: "eval",
    SideEffect.RUNS_PROGRAM: "scripts",
    SideEffect.CHANGES_MACHINE: "machine",
    SideEffect.WRITES_STATE: "state",
    SideEffect.READS_STATE: "state",
}
"""Side effects that decide the category of a command in action policies, the strongest first."""
