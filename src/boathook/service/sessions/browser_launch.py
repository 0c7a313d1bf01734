"""Launching: from settings to the browser that a session works in, and which sessions may share one."""

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
from boathook.errors import BadSetting, OtherLaunch
from boathook.runtime_folder import state_folder
from boathook.service.policy.policy import reach_of
from boathook.service.sessions.relay_browser import open_relay
from boathook.service.sessions.session import Outfit
from boathook.service.sessions.session_restore import RESTORE
from boathook.settings import SETTINGS
from boathook.values import Viewport

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.browser import Browser
    from boathook.engine.hosts.host_policy import Reach

LaunchKey = frozenset[tuple[str, Any]]
MANAGED = "managed"
FOREIGN = frozenset({"cdp", "app", "relay"})
"""Kinds of browsers that are somebody else's, whoever started them."""
MOST_PIXELS = 10_000
LONGEST_NUMBER = 6
COPY_OF = "copy:"
"""Before the path of a profile of the user's own, whose copy is worked in."""
LIMITS = ("allowed_domains", "denied_domains", "allow_private")
"""Settings that become one part of the key: where the browser may go."""


def limits_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the settings that hold a session back, or bring it back; plain data, so that a record can keep them."""
    names = (*LIMITS, "confirm_actions", "action_policy", *RESTORE)
    given = {name: settings[name] for name in names if settings.get(name) is not None}
    return {name: list(one) if isinstance(one, tuple) else one for name, one in given.items()}


def launch_key(wishes: Mapping[str, Any]) -> LaunchKey:
    """What decides which browser a session may share."""
    given = {name: value for name, value in wishes.items() if name in SETTINGS and SETTINGS[name].launches}
    if given.get("browser") == MANAGED:
        given.pop("browser")  # as without it
    key = {
        (name, value) for name, value in given.items() if name not in LIMITS and value not in {None, False}
    }
    reach = reach_of(wishes)
    return frozenset(key | {("reach", reach)} if reach.limited else key)


def outfit_of(wishes: Mapping[str, Any]) -> Outfit:
    """What every tab of a session gets from its first moment on."""
    scheme = wishes.get("color_scheme")
    looks = Settings(
        user_agent=wishes.get("user_agent"), color_scheme=None if scheme == "no-preference" else scheme
    )
    check_settings(looks)
    return Outfit(
        looks=looks,
        dialogs=wishes.get("dialogs"),
        gait=wishes.get("input_mode", "instant"),
        scripts=tuple(_script(path) for path in wishes.get("init_script", ())),
    )


def _script(path: str) -> str:
    try:
        return check_script(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"the script {path} cannot be read: {error}") from error


def is_kept(key: LaunchKey) -> bool:
    """Whether the browser has a profile that outlives it, and so serves one session only."""
    return any(name == "profile" for name, _value in key)


def share_profile(one: LaunchKey, other: LaunchKey) -> bool:
    """Whether both want the same kept profile, which only one browser can have."""
    profile = dict(one).get("profile")
    return profile is not None and profile == dict(other).get("profile")


def check_same(name: str, key: LaunchKey, wishes: Mapping[str, Any]) -> None:
    """A browser is never silently started again: what is left out is inherited, what differs is refused."""
    running = dict(key)
    _check_same_limits(name, running.get("reach", UNLIMITED), wishes)
    if wishes.get("browser") == MANAGED and not {"browser", "cdp"} & running.keys():
        wishes = {**wishes, "browser": None}
    for wish, value in wishes.items():
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
            raise OtherLaunch(
                f"session {name} runs without {' '.join(words[1:])}",
                hint=f"start a new one|: `{' '.join(words)} open URL`",
                setting=wish,
                argv=(*words, "open"),
            )


def _check_same_limits(name: str, running: Reach, wishes: Mapping[str, Any]) -> None:
    """Limits on hosts belong to the browser: one that runs with fewer of them must not pass for one with more."""
    wanted = reach_of(wishes)
    if wanted.limited and wanted != running:
        given = {one: wishes[one] for one in LIMITS if wishes.get(one) is not None}
        words = ["--fresh"]
        for one, value in given.items():
            if isinstance(value, bool):
                words.append(SETTINGS[one].flag if value else SETTINGS[one].flag.replace("--", "--no-", 1))
            else:
                words += [SETTINGS[one].flag, ",".join(value)]
        raise OtherLaunch(
            f"session {name} runs with other limits on hosts",
            hint=f"start a new one|: `{' '.join(words)} open URL`",
            setting=next(iter(given)),
            argv=(*words, "open"),
        )


async def started(wishes: Mapping[str, Any]) -> Browser:
    """Start a browser, or attach to one, as the settings say."""
    schemes = DEFAULT_SCHEMES | ({"file"} if wishes.get("allow_file_access") else set())
    reach = wishes.get("reach", UNLIMITED)
    kind, _, what = str(wishes.get("browser", MANAGED)).partition(":")
    if ("cdp" in wishes or kind in FOREIGN) and wishes.get("stealth", "off") != "off":
        raise BadSetting(
            "stealth is for browsers that are started here: others are left as they are",
            hint="leave it out|, or say `--stealth off` where a file or a variable sets it",
        )
    if kind == "app":
        words = wishes.get("app_args", ())
        return await launch_app(Path(what), words, profiles=_app_profiles(), schemes=schemes, reach=reach)
    if "cdp" in wishes or kind == "cdp":
        return await opening.attach(str(wishes.get("cdp", what)), schemes=schemes, reach=reach)
    if kind == "relay":
        return await open_relay(what, schemes=schemes, reach=reach)
    program = kind if kind.startswith("/") else None  # as the variable for it has always been understood
    if kind != MANAGED and program is None:
        raise BadSetting(
            f"there is no browser of the kind {kind!r:.40}",
            hint="there are managed, cdp:ADDRESS, app:PROGRAM and relay",
        )
    profile = str(wishes.get("profile", ""))
    copied = profile.startswith(COPY_OF)
    options = LaunchOptions(
        headless=not wishes.get("headed"),
        executable=wishes.get("executable", program),
        profile=Path(profile) if profile and not copied else None,
        profile_copy=Path(profile.removeprefix(COPY_OF)) if copied else None,
        viewport=_viewport(wishes.get("viewport")),
        scrollbars=bool(wishes.get("scrollbars")),
        sandbox=wishes.get("sandbox", "auto"),
        stealth=wishes.get("stealth", "basic"),
        proxy=_proxy(wishes),
        reach=reach,
        ignore_certificate_errors=bool(wishes.get("ignore_certificate_errors")),
        ca_bundle=Path(wishes["ca_bundle"]) if "ca_bundle" in wishes else None,
    )
    return await opening.launch(options, schemes=schemes)


def _proxy(wishes: Mapping[str, Any]) -> Proxy | None:
    if "proxy" in wishes:
        return Proxy(server=wishes["proxy"], bypass=tuple(wishes.get("proxy_bypass", ())))
    if "proxy_bypass" in wishes:
        raise BadSetting(
            "proxy_bypass says what goes around a proxy, and there is none", hint="give `=proxy`"
        )
    return None


def _app_profiles() -> Path:
    """Where browsers that are started as apps have profiles of their own."""
    return Path(state_folder()) / "apps"


def _viewport(given: str | None) -> Viewport:
    """A size such as 1365x768; without one the usual."""
    if given is None:
        return Viewport()
    width, _, height = str(given).partition("x")
    sides = [int(side) if side.isdecimal() and len(side) <= LONGEST_NUMBER else 0 for side in (width, height)]
    if not all(1 <= side <= MOST_PIXELS for side in sides):
        raise BadSetting(
            f"{given!r:.40} is no size of a page", hint=f"write it like 1365x768, each up to {MOST_PIXELS}"
        )
    return Viewport(width=sides[0], height=sides[1])
