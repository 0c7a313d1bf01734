"""Flags and commands of agent-browser that have other names here, mean what is so anyway, or are refused with a reason."""

from __future__ import annotations

OTHER_NAMES = {
    "--executable-path": "executable",
    "--ignore-https-errors": "ignore_certificate_errors",
    "--ca-cert": "ca_bundle",
    "--content-boundaries": "boundaries",
    "--session-name": "restore",
}
"""Flags that are settings of ours under another name."""

STAND_FOR: dict[str, tuple[str, str | bool]] = {
    "--auto-connect": ("browser", "relay"),
    "--no-auto-dialog": ("dialogs", "hold"),
    "--no-ca-cert": ("ca_bundle", False),
}
"""Flags without a value, with the setting and the value that they mean."""

OPPOSITES = {"--hide-scrollbars": "scrollbars"}
"""Flags that are the opposite of a setting; true or false may follow them."""

SO_ANYWAY: dict[str, tuple[str, ...]] = {
    "--pin-tab": (),
    "--no-webmcp": (),
    "--enable": ("react-devtools",),
    "--use-system-ca": (),
    "--engine": ("chrome",),
}
"""Flags that ask for what is so anyway, with the values for which that holds; none of them takes no value."""

OF_COMMANDS = {
    "--headers": "open",
    "--annotate": "screenshot",
    "--full": "screenshot",
    "--if-changed": "screenshot",
    "--threshold": "screenshot",
    "--screenshot-format": "screenshot",
    "--screenshot-quality": "screenshot",
}
"""Flags that others also write before the command, with the command here whose flags they are."""
WITH_VALUE = frozenset({"--headers", "--threshold", "--screenshot-format", "--screenshot-quality"})

REFUSED = {
    "--provider": "browsers of remote services are planned",
    "-p": "browsers of remote services are planned",
    "--device": "telephones with iOS are driven by other tools; set device pretends to be a telephone",
    "--extension": "browser extensions are planned",
    "--namespace": "sessions belong to a project by themselves; another HOME is another namespace",
    "--args": "switches that run programs or open ports are no flags for agents; the Python API has an allow-list",
    "--webgpu": "Chromium decides that by the machine",
    "--confirm-interactive": "questions are answered with confirm and deny, which a person can run in any terminal",
    "--no-pin-tab": "a session always works in its own tabs",
    "--engine": "there is Chromium, and what speaks its protocol: --browser names which",
    "--enable": "there is nothing to switch on: react, vitals and a11y work on any page",
    "--model": "chat is planned",
    "--categories": "a profile is of the page's scripts; trace start records the rest",
    "--with-deps": "packages of the system are for its administrator; doctor names what is missing",
    "--frame": "tools are those of the page itself",
    "--credential-provider": "plug-ins are planned; auth save takes a password from a command or a keyring",
}
"""Flags that there are not, and why."""

REFUSED_COMMANDS = {
    "upgrade": "packages are upgraded by whatever installed them: pip, pipx or uv",
    "device": "telephones with iOS are driven by other tools; set device pretends to be a telephone",
    "swipe": "it is for telephones with iOS; scroll moves the page, drag and mouse do gestures",
    "stream": "streaming is planned",
    "dashboard": "a dashboard is planned",
    "chat": "chat is planned",
    "plugin": "plug-ins are planned",
}
"""Commands that there are not, and why."""
