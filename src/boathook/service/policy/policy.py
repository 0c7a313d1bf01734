"""The policy: one frozen object that says what a call may do, made from its settings and its surface."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.host_policy import UNLIMITED, HostPolicy
from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.service.input.configuration import surface_defaults
from boathook.service.surface import Surface

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boathook.service.policy.action_rules import ActionRules


LIMITS = ("allowed_domains", "denied_domains", "allow_private")
"""The settings that limit hosts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is allowed."""

    enabled: bool = True
    schemes: frozenset[str] = DEFAULT_SCHEMES
    """Allowed URL schemes; `file:` and internal pages of the browser must be allowed explicitly."""
    host_policy: HostPolicy = UNLIMITED
    attach: bool = True
    """Whether attaching to a running browser is allowed: limits on hosts cannot be enforced there."""
    evaluate: bool = True
    """Whether scripts in pages are allowed."""
    scripts: bool = True
    """Whether programs are allowed."""
    upload_roots: tuple[Path, ...] | None = None
    """Folders that files may be uploaded from; None is everywhere."""
    output_roots: tuple[Path, ...] | None = None
    """Folders that files may be written to; None is everywhere."""
    confirm: frozenset[str] = frozenset()
    """Commands, groups and effects that require confirmation."""
    rules: tuple[ActionRules, ...] = ()
    """The user's action policies; the strictest verdict applies."""
    locked: Mapping[str, str] = field(default_factory=dict)
    """The settings that a policy file limits, with that file."""


def policy_of(
    settings: Mapping[str, Any], *, surface: Surface = Surface.COMMAND_LINE, folder: str = "/"
) -> Policy:
    """The policy of a call; the surface's defaults apply where the settings are empty."""
    given = surface_defaults(surface) | {name: value for name, value in settings.items() if value is not None}
    usual = usual_roots(surface, folder)
    host_policy = host_policy_of(given)
    return Policy(
        enabled=given.get("enabled") is not False,
        schemes=DEFAULT_SCHEMES | ({"file"} if given.get("allow_file_access") else set()),
        host_policy=host_policy,
        attach=not (surface.is_model and host_policy.limited),
        evaluate=given.get("evaluate_enabled") is not False,
        scripts=given.get("scripts_enabled") is not False,
        upload_roots=_roots(given.get("upload_roots"), usual),
        output_roots=_roots(given.get("output_roots"), usual),
        confirm=frozenset(given.get("confirm_actions") or ()),
    )


def usual_roots(surface: Surface, folder: str) -> tuple[Path, ...] | None:
    """For a model at the other end: files of the project and temporary ones, unless the user names others."""
    return (Path(folder), Path(tempfile.gettempdir())) if surface.is_model else None


def host_policy_of(settings: Mapping[str, Any]) -> HostPolicy:
    """The hosts that the settings allow; BadSetting for an invalid host."""
    return HostPolicy.of(
        allowed=settings.get("allowed_domains"),
        denied=settings.get("denied_domains") or (),
        private=settings.get("allow_private"),
    )


def _roots(given: Sequence[str] | None, usual: tuple[Path, ...] | None) -> tuple[Path, ...] | None:
    return usual if given is None else tuple(Path(root) for root in given)
