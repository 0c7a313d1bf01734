"""The policy: one frozen object that says what a call may do, made from its settings and the door it came through."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.host_policy import UNLIMITED, Reach
from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.service.input.configuration import door_defaults

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boathook.service.policy.action_rules import ActionRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What may be done."""

    enabled: bool = True
    schemes: frozenset[str] = DEFAULT_SCHEMES
    """Kinds of addresses that may be opened; `file:` and the browser's own pages have to be allowed by name."""
    reach: Reach = UNLIMITED
    attach: bool = True
    """Whether a browser that somebody else started may be worked in: limits on hosts cannot be enforced there."""
    evaluate: bool = True
    """Whether scripts may be run in pages."""
    scripts: bool = True
    """Whether programs may be run."""
    upload_roots: tuple[Path, ...] | None = None
    """Folders that files may be given to pages from; None is everywhere."""
    output_roots: tuple[Path, ...] | None = None
    """Folders that files may be written to; None is everywhere."""
    confirm: frozenset[str] = frozenset()
    """Commands, groups and effects that a person has to confirm."""
    rules: tuple[ActionRules, ...] = ()
    """What the user's action policies say; the strictest of them holds."""
    max_output: int | None = None
    """Characters of text in an answer."""


def policy_of(settings: Mapping[str, Any], *, door: str = "command line", folder: str = "/") -> Policy:
    """The policy of a call; a door's own defaults hold where the settings say nothing."""
    given = door_defaults(door) | {name: value for name, value in settings.items() if value is not None}
    # A model at the other end: files of the project and temporary ones, unless the user names others.
    usual = (Path(folder), Path(tempfile.gettempdir())) if door.startswith("mcp") else None
    reach = reach_of(given)
    return Policy(
        enabled=given.get("enabled") is not False,
        schemes=DEFAULT_SCHEMES | ({"file"} if given.get("allow_file_access") else set()),
        reach=reach,
        attach=not (door.startswith("mcp") and reach.limited),
        evaluate=given.get("evaluate_enabled") is not False,
        scripts=given.get("scripts_enabled") is not False,
        upload_roots=_roots(given.get("upload_roots"), usual),
        output_roots=_roots(given.get("output_roots"), usual),
        confirm=frozenset(given.get("confirm_actions") or ()),
        max_output=given.get("max_output"),
    )


def reach_of(settings: Mapping[str, Any]) -> Reach:
    """The hosts that the settings allow; BadSetting for what is no host."""
    return Reach.of(
        allowed=settings.get("allowed_domains"),
        denied=settings.get("denied_domains") or (),
        private=settings.get("allow_private"),
    )


def _roots(given: Sequence[str] | None, usual: tuple[Path, ...] | None) -> tuple[Path, ...] | None:
    return usual if given is None else tuple(Path(one) for one in given)
