"""Permissions that pages ask for: granted by name and origin, denied otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest, ProtocolError, Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.tab import Tab

PERMISSIONS: dict[str, str] = {
    "accelerometer": "sensors",
    "background-sync": "backgroundSync",
    "camera": "videoCapture",
    "clipboard-read": "clipboardReadWrite",
    "clipboard-write": "clipboardSanitizedWrite",
    "geolocation": "geolocation",
    "local-fonts": "localFonts",
    "microphone": "audioCapture",
    "midi": "midi",
    "notifications": "notifications",
    "payment-handler": "paymentHandler",
    "persistent-storage": "durableStorage",
    "storage-access": "storageAccess",
    "window-management": "windowManagement",
}
"""The web's names, and Chromium's."""


async def set_permissions(
    tab: Tab, names: Sequence[str] | None, *, origin: str | None, context: str | None
) -> None:
    """Grant these permissions, and no others, to an origin (or to all); None restores the default: denied."""
    where: dict[str, Any] = {"browserContextId": context} if context else {}
    connection = tab.session.connection
    if names is None:
        await connection.send("Browser.resetPermissions", where)
        return
    unknown = [name for name in names if name not in PERMISSIONS]
    if unknown:
        raise BadRequest(f"unknown permission: {unknown[0]!r}", hint=f"use {', '.join(PERMISSIONS)}")
    if origin:
        where["origin"] = origin
    try:
        await connection.send(
            "Browser.grantPermissions", {**where, "permissions": [PERMISSIONS[name] for name in names]}
        )
    except ProtocolError as error:
        raise Unsupported(f"this browser did not grant {', '.join(names)}: {error.text}") from error
