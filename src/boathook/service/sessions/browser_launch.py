"""Launching: from settings to the browser of a session, and which sessions may share one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.emulation.overrides import Settings, check_settings
from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.network_limits import without_credentials
from boathook.engine.launch.options import LaunchOptions, with_environment_defaults
from boathook.engine.page.init_scripts import check_script
from boathook.errors import BadSetting, BrowserNotFound, LaunchConflict
from boathook.input_files import read_input_file
from boathook.service.policy.policy import LIMITS, host_policy_of
from boathook.service.sessions.providers.choose import MANAGED, choose_provider
from boathook.service.sessions.providers.managed import NOT_LOOPBACK
from boathook.service.sessions.session import TabDefaults
from boathook.service.sessions.session_restore import RESTORE
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from boathook.engine.hosts.host_policy import HostPolicy

LaunchKey = frozenset[tuple[str, Any]]
Variables = tuple[tuple[str, str], ...]
VARIABLES = "variables"
"""The name in a launch key of the variables that the browser gets from its caller."""
_CACHE, _EXECUTABLE, _PROXY = "PUPPETEER_CACHE_DIR", "PUPPETEER_EXECUTABLE_PATH", "PUPPETEER_PROXY"
_DISPLAY = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY")
_PROXIES = tuple(
    name for word in ("all", "http", "https", "no") for name in (f"{word}_proxy", f"{word}_proxy".upper())
)


def limits_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that restrict or restore a session; plain data, so that a record can store them."""
    names = (*LIMITS, "confirm_actions", "action_policy", *RESTORE)
    given = {name: settings[name] for name in names if settings.get(name) is not None}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


def launch_key(requested: Mapping[str, Any]) -> LaunchKey:
    """The key by which sessions share a browser."""
    given = {name: value for name, value in requested.items() if name in SETTINGS and SETTINGS[name].launches}
    if given.get("browser") == MANAGED:
        given.pop("browser")  # as without it
    key = {
        (name, value) for name, value in given.items() if name not in LIMITS and value not in {None, False}
    }
    host_policy = host_policy_of(requested)
    if variables := requested.get(VARIABLES):
        key.add((VARIABLES, variables))
    return frozenset(key | {("reach", host_policy)} if host_policy.limited else key)


def display_of(environment: Mapping[str, str]) -> Variables:
    """The caller's display; empty if it has none, and then the daemon's own is used."""
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        return ()
    return tuple((name, environment.get(name, "")) for name in _DISPLAY)


def shown_display(environment: Mapping[str, str]) -> str:
    """Where a window of a call with these variables opens; empty if it cannot."""
    display = dict(display_of(environment)) or os.environ
    return display.get("WAYLAND_DISPLAY") or display.get("DISPLAY") or ""


def executable_of(
    environment: Mapping[str, str], settings: Mapping[str, Any], *, locked: Collection[str] = ()
) -> str | None:
    """The executable that a call names, in its settings or its variables; None if the search decides."""
    provider, address = choose_provider(settings)
    if not provider.starts_browser:
        return None
    found = launch_variables(environment, settings, locked=locked) | dict(settings)
    return found.get("executable") or address or None


def with_window(key: LaunchKey, *, headed: bool, display: Variables) -> LaunchKey:
    """The key of the same browser with a window on this display, or without one."""
    kept = tuple(pair for pair in dict(key).get(VARIABLES, ()) if pair[0] not in _DISPLAY)
    variables = (display if headed else ()) + kept
    others = {pair for pair in key if pair[0] not in {"headed", VARIABLES}}
    return frozenset(
        others
        | ({("headed", True)} if headed else set())
        | ({(VARIABLES, variables)} if variables else set())
    )


def launch_variables(
    environment: Mapping[str, str], settings: Mapping[str, Any], *, locked: Collection[str] = ()
) -> dict[str, Any]:
    """Launch settings from variables that other tools use too, for a session that is started without such settings.

    Variables of other tools must not leave the limits of policy files, whose settings are `locked`.
    """
    if not choose_provider(settings)[0].starts_browser:
        return {}
    variables = display_of(environment) if settings.get("headed") else ()
    found: dict[str, Any] = {}
    path = environment.get(_EXECUTABLE) or _in_cache_of(environment, settings)
    if path and settings.get("browser") in {None, MANAGED} and not {"executable", "browser"} & set(locked):
        found["executable"] = path
    if not {*LIMITS, "proxy", "ignore_certificate_errors"} & set(locked):
        found |= _proxy_variables(environment, settings)
        variables += tuple((name, environment[name]) for name in _PROXIES if environment.get(name))
    return found | ({VARIABLES: variables} if variables else {})


def unused_variables(
    running: LaunchKey,
    environment: Mapping[str, str],
    settings: Mapping[str, Any],
    *,
    locked: Collection[str],
) -> tuple[str, ...]:
    """The caller's variables that would have started the browser of a running session in another way."""
    has = dict(running)
    if not choose_provider(has)[0].starts_browser:
        return ()
    plain = {name: value for name, value in environment.items() if name != _CACHE}  # its search takes time
    wanted = launch_variables(plain, settings, locked=locked)
    places = {**os.environ, **dict(has.get(VARIABLES, ()))}
    unused = []
    if wanted.get("executable") not in {None, has.get("executable"), os.environ.get(_EXECUTABLE)}:
        unused.append(_EXECUTABLE)
    if wanted.get("proxy") not in {None, has.get("proxy")}:
        unused.append(_PROXY)
    return *unused, *(
        name
        for name, value in wanted.get(VARIABLES, ())
        if name not in _DISPLAY and places.get(name) != value
    )


def _in_cache_of(environment: Mapping[str, str], settings: Mapping[str, Any]) -> str:
    """The browser that a search with the caller's Puppeteer cache finds there; empty if another one comes first."""
    folder = environment.get(_CACHE, "")
    if not folder or folder == os.environ.get(_CACHE) or not Path(folder).is_absolute():
        return ""
    try:
        found = find_browser(headless=not settings.get("headed"), environ={**os.environ, _CACHE: folder})
    except BrowserNotFound:  # the launch says so
        return ""
    return str(found.path) if found.path.is_relative_to(folder) else ""


def _proxy_variables(environment: Mapping[str, str], settings: Mapping[str, Any]) -> dict[str, Any]:
    options = with_environment_defaults(LaunchOptions(), environment)
    found: dict[str, Any] = {}
    if options.proxy is not None and settings.get("proxy") is None:
        found["proxy"] = options.proxy.server
        found["proxy_bypass"] = () if options.proxy.bypass_loopback else (NOT_LOOPBACK,)
    if options.ignore_certificate_errors:
        found["ignore_certificate_errors"] = True
    return found


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
        return check_script(read_input_file(path).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"the script {path} cannot be read: {error}") from error


def is_kept(key: LaunchKey) -> bool:
    """Whether the browser has a persistent profile, and so serves one session only."""
    return any(name == "profile" for name, _value in key)


def share_profile(first: LaunchKey, other: LaunchKey) -> bool:
    """Whether both use the same persistent profile, which only one browser can have."""
    profile = dict(first).get("profile")
    return profile is not None and profile == dict(other).get("profile")


def check_same(name: str, key: LaunchKey, requested: Mapping[str, Any]) -> None:
    """A browser is never silently restarted: settings that are not given are inherited, those that differ are refused."""
    running = dict(key)
    _check_same_limits(name, running.get("reach", UNLIMITED), requested)
    _check_same_display(name, running, requested.get(VARIABLES, ()))
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
            shown = without_credentials(str(value)) if wish == "proxy" else str(value)
            said = setting.flag if value else setting.flag.replace("--", "--no-", 1)
            words = ("--fresh", said) if isinstance(value, bool) else ("--fresh", said, shown)
            raise LaunchConflict(
                f"session {name!r} is already running without {' '.join(words[1:])}",
                hint=f"start a new one|: `{' '.join(words)} open URL`",
                setting=wish,
                argv=(*words, "open"),
            )


def _check_same_display(name: str, running: Mapping[str, Any], wanted: Variables) -> None:
    """A window cannot move to another display."""
    has = dict(running.get(VARIABLES, ())) or os.environ
    if (
        not running.get("headed")
        or not wanted
        or all(has.get(word, "") == value for word, value in wanted[:2])
    ):
        return
    shown, asked = (
        next((place[word] for word in _DISPLAY if place.get(word)), "none") for place in (has, dict(wanted))
    )
    raise LaunchConflict(
        f"the window of session {name!r} is on display {shown!r:.60}, not on {asked!r:.60}",
        hint="start a new one|: `--fresh --headed open URL`",
        setting="headed",
        argv=("--fresh", "--headed", "open"),
    )


def _check_same_limits(name: str, running: HostPolicy, requested: Mapping[str, Any]) -> None:
    """Limits on hosts belong to the browser: one with fewer limits must not be used as one with more."""
    wanted = host_policy_of(requested)
    if wanted.limited and wanted != running:
        given = {limit: requested[limit] for limit in LIMITS if requested.get(limit) is not None}
        words = ["--fresh"]
        for limit, value in given.items():
            if isinstance(value, bool):
                words.append(
                    SETTINGS[limit].flag if value else SETTINGS[limit].flag.replace("--", "--no-", 1)
                )
            else:
                words += [SETTINGS[limit].flag, ",".join(value)]
        raise LaunchConflict(
            f"session {name!r} is already running with other limits on hosts",
            hint=f"start a new one|: `{' '.join(words)} open URL`",
            setting=next(iter(given)),
            argv=(*words, "open"),
        )
