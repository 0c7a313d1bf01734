"""What the settings of a call do, and which of them a policy forbids."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.effects import SideEffect
from boathook.engine.launch.profiles.user_profiles import COPY_OF
from boathook.errors import PolicyBlocked
from boathook.runtime_folder import state_folder
from boathook.service.policy.policy import LIMITS
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boathook.service.call import Call
    from boathook.service.policy.policy import Policy

_WRITTEN = ("screenshot_dir", "download_path", "profile", "output")
_ALWAYS_CHECKED = ("output",)
"""Settings that are fields of a tool, so that a model may have set them whatever their source is."""
_READ = ("init_script", "state")
"""Settings that name files, by what is done with them."""
_BROWSERS = {
    "managed": (),
    "relay": (SideEffect.ATTACHES_BROWSER,),
    "cdp": (SideEffect.ATTACHES_BROWSER,),
    "app": (SideEffect.ATTACHES_BROWSER, SideEffect.RUNS_PROGRAM),
}


def effects_of_settings(call: Call, *, every: bool = False) -> frozenset[SideEffect]:
    """What the settings that came with a call do; under a policy file `every` setting counts, wherever it comes from."""
    names = call.settings if every else call.own_settings
    given = {name: call.settings.get(name) for name in names if name in SETTINGS}
    found = {effect for name, value in given.items() if value for effect in SETTINGS[name].effects}
    if given.get("dialogs") == "hold":
        found -= {SideEffect.ANSWERS_DIALOGS}
    browser = str(given.get("browser") or "")
    if browser:
        found -= {SideEffect.ATTACHES_BROWSER} if not given.get("cdp") else set()
        found |= set(_BROWSERS.get(browser.partition(":")[0], (SideEffect.RUNS_PROGRAM,)))
    return frozenset(found)


def check_settings(call: Call, arguments: Mapping[str, Any], policy: Policy) -> None:
    """PolicyBlocked for a setting, or an argument in place of one, with which a call would leave its limits."""
    proxy = call.settings.get("proxy")
    if proxy and "proxy" not in policy.locked and policy.locked.keys() & set(LIMITS):
        raise PolicyBlocked(
            "a policy file limits hosts, so only a policy file can set a proxy", setting="proxy"
        )
    if "encrypt_states" in policy.locked and arguments.get("encrypt") is False:
        raise PolicyBlocked(f"{policy.locked['encrypt_states']} requires saved states to be encrypted")
    for roots, names, setting in (
        (policy.output_roots, _WRITTEN, "output_roots"),
        (policy.upload_roots, _READ, "upload_roots"),
    ):
        counted = [
            name
            for name in names
            if name in {*call.own_settings, *_ALWAYS_CHECKED} or setting in policy.locked
        ]
        for name, path in _paths(call, counted) if roots is not None else ():
            if not any(Path(path).is_relative_to(os.path.realpath(root)) for root in roots or ()):
                raise PolicyBlocked(f"{name}: {path} is outside the folders of {setting}", setting=name)


def _paths(call: Call, names: list[str]) -> Iterator[tuple[str, str]]:
    """The real paths in settings; what is stored by name is in our own folder."""
    for name in names:
        value = call.settings.get(name)
        for path in value if isinstance(value, list | tuple) else [value]:
            real = os.path.realpath(str(path)) if path and not str(path).startswith(COPY_OF) else ""
            if real and not Path(real).is_relative_to(os.path.realpath(f"{state_folder()}/states")):
                yield name, real
