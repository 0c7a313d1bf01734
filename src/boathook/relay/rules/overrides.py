"""Overrides: methods that change how a page behaves or looks. They take effect only in tabs that programs opened, and end with the program."""

from __future__ import annotations

from typing import Any

OVERRIDES = frozenset(
    {
        "Animation.setPlaybackRate",
        "Input.setIgnoreInputEvents",
        "Network.clearAcceptedEncodingsOverride",
        "Network.emulateNetworkConditions",
        "Network.emulateNetworkConditionsByRule",
        "Network.overrideNetworkState",
        "Network.setAcceptedEncodings",
        "Network.setBlockedURLs",
        "Network.setBypassServiceWorker",
        "Network.setCacheDisabled",
        "Network.setCookieControls",
        "Network.setExtraHTTPHeaders",
        "Network.setUserAgentOverride",
        "Page.clearDeviceMetricsOverride",
        "Page.clearDeviceOrientationOverride",
        "Page.clearGeolocationOverride",
        "Page.setAdBlockingEnabled",
        "Page.setBypassCSP",
        "Page.setDeviceMetricsOverride",
        "Page.setDeviceOrientationOverride",
        "Page.setDownloadBehavior",
        "Page.setFontFamilies",
        "Page.setFontSizes",
        "Page.setGeolocationOverride",
        "Page.setPrerenderingAllowed",
        "Page.setRPHRegistrationMode",
        "Page.setSPCTransactionMode",
        "Page.setTouchEmulationEnabled",
        "Page.setWebLifecycleState",
    }
)
_OVERRIDING_DOMAINS = frozenset({"DeviceOrientation", "Emulation"})
_NO_OVERRIDES = frozenset(
    {
        "Emulation.canEmulate",
        "Emulation.getOverriddenSensorInformation",
        "Emulation.getScreenInfos",
        "Emulation.setFocusEmulationEnabled",
    }
)
RESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "Animation.setPlaybackRate": ("Animation.setPlaybackRate", {"playbackRate": 1}),
    "Emulation.setAutoDarkModeOverride": ("Emulation.setAutoDarkModeOverride", {}),
    "Emulation.setCPUThrottlingRate": ("Emulation.setCPUThrottlingRate", {"rate": 1}),
    "Emulation.setDefaultBackgroundColorOverride": ("Emulation.setDefaultBackgroundColorOverride", {}),
    "Emulation.setDeviceMetricsOverride": ("Emulation.clearDeviceMetricsOverride", {}),
    "Emulation.setEmulatedMedia": ("Emulation.setEmulatedMedia", {"media": "", "features": []}),
    "Emulation.setEmulatedVisionDeficiency": ("Emulation.setEmulatedVisionDeficiency", {"type": "none"}),
    "Emulation.setGeolocationOverride": ("Emulation.clearGeolocationOverride", {}),
    "Emulation.setIdleOverride": ("Emulation.clearIdleOverride", {}),
    "Emulation.setLocaleOverride": ("Emulation.setLocaleOverride", {}),
    "Emulation.setScriptExecutionDisabled": ("Emulation.setScriptExecutionDisabled", {"value": False}),
    "Emulation.setScrollbarsHidden": ("Emulation.setScrollbarsHidden", {"hidden": False}),
    "Emulation.setTimezoneOverride": ("Emulation.setTimezoneOverride", {"timezoneId": ""}),
    "Emulation.setTouchEmulationEnabled": ("Emulation.setTouchEmulationEnabled", {"enabled": False}),
    "Emulation.setUserAgentOverride": ("Emulation.setUserAgentOverride", {"userAgent": ""}),
    "Input.setIgnoreInputEvents": ("Input.setIgnoreInputEvents", {"ignore": False}),
    "Network.emulateNetworkConditions": (
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    ),
    "Network.setBlockedURLs": ("Network.setBlockedURLs", {"urls": []}),
    "Network.setBypassServiceWorker": ("Network.setBypassServiceWorker", {"bypass": False}),
    "Network.setCacheDisabled": ("Network.setCacheDisabled", {"cacheDisabled": False}),
    "Network.setExtraHTTPHeaders": ("Network.setExtraHTTPHeaders", {"headers": {}}),
    "Network.setUserAgentOverride": ("Network.setUserAgentOverride", {"userAgent": ""}),
    "Page.setFontSizes": ("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}}),
    "Page.setBypassCSP": ("Page.setBypassCSP", {"enabled": False}),
}
"""What ends an override of a client that disconnects from a tab that others use as well."""


def is_override(method: str) -> bool:
    """Whether it changes how a page behaves or looks to the user; done in tabs that programs opened, ignored in the user's."""
    if method in OVERRIDES:
        return True
    return method.partition(".")[0] in _OVERRIDING_DOMAINS and method not in _NO_OVERRIDES
