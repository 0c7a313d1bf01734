"""Which targets are tabs."""

import pytest

from boathook.engine.cdp_targets import TargetInfo


@pytest.mark.parametrize(
    ("kind", "url", "is_page"),
    [
        ("page", "https://example.org/", True),
        ("page", "about:blank", True),
        ("webview", "app://main", True),
        ("page", "devtools://devtools/bundled/x.html", False),
        ("page", "chrome-extension://abc/background.html", False),
        ("browser_ui", "chrome://tab-strip/", False),
        ("service_worker", "https://example.org/sw.js", False),
        ("background_page", "chrome-extension://abc/x", False),
        ("tab", "https://example.org/", False),
        ("iframe", "https://example.org/", False),
    ],
)
def test_only_pages_for_users_are_tabs(kind, url, is_page):
    assert TargetInfo.read({"targetId": "T", "type": kind, "url": url}).is_page is is_page
