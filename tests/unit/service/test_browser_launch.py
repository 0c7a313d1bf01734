"""Which browser settings lead to, and what is refused before any is started or attached to."""

from __future__ import annotations

import pytest

from boathook.engine.launch import open as opening
from boathook.errors import BadSetting
from boathook.service.sessions.providers.choose import acquire_browser

DEAD = "127.0.0.1:1"


@pytest.mark.parametrize("level", ["basic", "full"])
@pytest.mark.parametrize(
    "where", [{"cdp": DEAD}, {"browser": f"cdp:{DEAD}"}, {"browser": "relay"}, {"browser": "app:/x"}]
)
async def test_stealth_is_refused_for_browsers_that_are_not_started_here(
    where: dict[str, str], level: str
) -> None:
    with pytest.raises(BadSetting, match="only in browsers that boathook starts"):
        await acquire_browser({**where, "stealth": level})


async def test_without_stealth_they_are_attached_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def attach(address: str, **_more: object) -> None:
        asked.append(address)

    monkeypatch.setattr(opening, "attach", attach)
    await acquire_browser({"cdp": DEAD, "stealth": "off"})
    await acquire_browser({"cdp": DEAD})
    assert asked == [DEAD, DEAD]
