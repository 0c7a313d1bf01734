"""Launching: from settings to the browser of a session, and which sessions may share one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.emulation.overrides import Settings, check_settings
from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.engine.launch import open as opening
from boathook.engine.launch.app_browser import launch_app
from boathook.engine.launch.options import LaunchOptions, Proxy
from boathook.engine.page.init_scripts import check_script
from boathook.errors import BadSetting, LaunchConflict
from boathook.runtime_folder import state_folder
from boathook.service.policy.policy import host_policy_of
from boathook.service.sessions.relay_browser import open_relay
from boathook.service.sessions.session import TabDefaults
from boathook.service.sessions.session_restore import RESTORE
from boathook.settings import SETTINGS
from boathook.values import Viewport

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.browser import Browser
    from boathook.engine.hosts.host_policy import HostPolicy

LaunchKey = frozenset[tuple[str, Any]]
MANAGED = "managed"
FOREIGN = frozenset({"cdp", "app", "relay"})
"""Kinds of browsers that we attach to."""
MOST_PIXELS = 10_000
LONGEST_NUMBER = 6
COPY_OF = "copy:"
"""Prefix of the path of a user's profile, whose copy is used."""
LIMITS = ("allowed_domains", "denied_domains", "allow_private")
"""Settings that become one part of the key: the limits on hosts."""


def limits_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that restrict or restore a session; plain data, so that a record can store them."""
    names = (*LIMITS, "confirm_actions", "action_policy", *RESTORE)
    given = {name: settings[name] for name in names if settings.get(name) is not None}
    return {name: list(one) if isinstance(one, tuple) else one for name, one in given.items()}


def launch_key(requested: Mapping[str, Any]) -> LaunchKey:
    """The key by which sessions share a browser."""
    given = {name: value for name, value in requested.items() if name in SETTINGS and SETTINGS[name].launches}
    if given.get("browser") == MANAGED:
        given.pop("browser")  # as without it
    key = {
        (name, value) for name, value in given.items() if name not in LIMITS and value not in {None, False}
    }
    host_policy = host_policy_of(requested)
    return frozenset(key | {("reach", host_policy)} if host_policy.limited else key)


def tab_defaults_of(requested: Mapping[str, Any]) -> TabDefaults:
    """Settings that every tab of a session gets when it is created."""
    scheme = requested.get("color_scheme")
    looks = Settings(
        user_agent=requested.get("user_agent"), color_scheme=None if scheme == "no-preference" else scheme
    )
    check_settings(looks)
    return TabDefaults(
        looks=looks,
        dialogs=requested.get("dialogs"),
        pointer_motion=requested.get("input_mode", "instant"),
        scripts=tuple(_script(path) for path in requested.get("init_script", ())),
    )


def _script(path: str) -> str:
    try:
        return check_script(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"the script {path} cannot be read: {error}") from error


def is_kept(key: LaunchKey) -> bool:
    """Whether the browser has a persistent profile, and so serves one session only."""
    return any(name == "profile" for name, _value in key)


def share_profile(one: LaunchKey, other: LaunchKey) -> bool:
    """Whether both use the same persistent profile, which only one browser can have."""
    profile = dict(one).get("profile")
    return profile is not None and profile == dict(other).get("profile")


def check_same(name: str, key: LaunchKey, requested: Mapping[str, Any]) -> None:
    """A browser is never silently restarted: settings that are not given are inherited, those that differ are refused."""
    running = dict(key)
    _check_same_limits(name, running.get("reach", UNLIMITED), requested)
    if requested.get("browser") == MANAGED and not {"browser", "cdp"} & running.keys():
        requested = {**requested, "browser": None}
    for wish, value in requested.items():
        setting = SETTINGS.get(wish)
        if (
            setting is not None
            and setting.launches
            and wish not in LIMITS
            and value is not None
            and running.get(wish, False) != value
        ):
            said = setting.flag if value else setting.flag.replace("--", "--no-", 1)
            words = ("--fresh", said) if isinstance(value, bool) else ("--fresh", said, str(value))
            raise LaunchConflict(
                f"session {name!r} is already running without {' '.join(words[1:])}",
                hint=f"start a new one|: `{' '.join(words)} open URL`",
                setting=wish,
                argv=(*words, "open"),
            )


def _check_same_limits(name: str, running: HostPolicy, requested: Mapping[str, Any]) -> None:
    """Limits on hosts belong to the browser: one with fewer limits must not be used as one with more."""
    wanted = host_policy_of(requested)
    if wanted.limited and wanted != running:
        given = {one: requested[one] for one in LIMITS if requested.get(one) is not None}
        words = ["--fresh"]
        for one, value in given.items():
            if isinstance(value, bool):
                words.append(SETTINGS[one].flag if value else SETTINGS[one].flag.replace("--", "--no-", 1))
            else:
                words += [SETTINGS[one].flag, ",".join(value)]
        raise LaunchConflict(
            f"session {name!r} is already running with other limits on hosts",
            hint=f"start a new one|: `{' '.join(words)} open URL`",
            setting=next(iter(given)),
            argv=(*words, "open"),
        )


async def started(requested: Mapping[str, Any]) -> Browser:
    """Start a browser, or attach to one, according to the settings."""
    schemes = DEFAULT_SCHEMES | ({"file"} if requested.get("allow_file_access") else set())
    host_policy = requested.get("reach", UNLIMITED)
    kind, _, what = str(requested.get("browser", MANAGED)).partition(":")
    if ("cdp" in requested or kind in FOREIGN) and requested.get("stealth", "off") != "off":
        raise BadSetting(
            "stealth is supported only in browsers that boathook starts",
            hint="omit it|, or pass `--stealth off` if a file or a variable sets it",
        )
    if kind == "app":
        words = requested.get("app_args", ())
        return await launch_app(
            Path(what), words, profiles=_app_profiles(), schemes=schemes, host_policy=host_policy
        )
    if "cdp" in requested or kind == "cdp":
        return await opening.attach(str(requested.get("cdp", what)), schemes=schemes, host_policy=host_policy)
    if kind == "relay":
        return await open_relay(what, schemes=schemes, host_policy=host_policy)
    program = kind if kind.startswith("/") else None  # as the variable for it has always been understood
    if kind != MANAGED and program is None:
        raise BadSetting(
            f"unknown browser: {kind!r:.40}",
            hint="use managed, cdp:URL, app:PROGRAM or relay",
        )
    profile = str(requested.get("profile", ""))
    copied = profile.startswith(COPY_OF)
    options = LaunchOptions(
        headless=not requested.get("headed"),
        executable=requested.get("executable", program),
        profile=Path(profile) if profile and not copied else None,
        profile_copy=Path(profile.removeprefix(COPY_OF)) if copied else None,
        viewport=_viewport(requested.get("viewport")),
        scrollbars=bool(requested.get("scrollbars")),
        sandbox=requested.get("sandbox", "auto"),
        stealth=requested.get("stealth", "basic"),
        proxy=_proxy(requested),
        host_policy=host_policy,
        ignore_certificate_errors=bool(requested.get("ignore_certificate_errors")),
        ca_bundle=Path(requested["ca_bundle"]) if "ca_bundle" in requested else None,
    )
    return await opening.launch(options, schemes=schemes)


def _proxy(requested: Mapping[str, Any]) -> Proxy | None:
    if "proxy" in requested:
        return Proxy(server=requested["proxy"], bypass=tuple(requested.get("proxy_bypass", ())))
    if "proxy_bypass" in requested:
        raise BadSetting("proxy_bypass requires a proxy", hint="set `=proxy`")
    return None


def _app_profiles() -> Path:
    """The folder of separate profiles for browsers that are started as apps."""
    return Path(state_folder()) / "apps"


def _viewport(given: str | None) -> Viewport:
    """A size such as 1280x720; without one the default."""
    if given is None:
        return Viewport()
    width, _, height = str(given).partition("x")
    sides = [int(side) if side.isdecimal() and len(side) <= LONGEST_NUMBER else 0 for side in (width, height)]
    if not all(1 <= side <= MOST_PIXELS for side in sides):
        raise BadSetting(
            f"invalid viewport size: {given!r:.40}",
            hint=f"use WIDTHxHEIGHT, for example 1280x720, each up to {MOST_PIXELS}",
        )
    return Viewport(width=sides[0], height=sides[1])
