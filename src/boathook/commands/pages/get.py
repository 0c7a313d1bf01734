"""Facts about elements and the page: one at a time, for scripts and checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from boathook.engine.content.element_facts import ask_element, box_of, count_of, state_of
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.errors import Unsupported
from boathook.redaction.secret import Secret
from boathook.registry.context import HostScope
from boathook.registry.registry import Doc, Scope, command
from boathook.values import Box

Target = Annotated[str, Doc("element: a ref such as @e5, or role=button[name=Save], text=, label=, CSS …")]
Nth = Annotated[int | None, Doc("which of several matches, from 0")]
Timeout = Annotated[float, Doc("seconds that it may take")]


@command(group="facts", checks_refs=True, examples=("get text @e3", "get text 'role=alert'"))
async def get_text(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = READ_SECONDS) -> str:
    """The text of an element, as it is shown."""
    async with tab.call(f"reading the text of {target}", seconds=timeout, looks=True) as deadline:
        return str(await ask_element(tab, target, "text", nth=nth, deadline=deadline))


@command(group="facts", checks_refs=True, examples=("get html @e3", "get html main"))
async def get_html(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = READ_SECONDS) -> str:
    """The markup of an element, itself included."""
    async with tab.call(f"reading the markup of {target}", seconds=timeout, looks=True) as deadline:
        return str(await ask_element(tab, target, "html", nth=nth, deadline=deadline))


@command(group="facts", checks_refs=True, examples=("get value @e7", "get value label=Email"))
async def get_value(
    tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = READ_SECONDS
) -> str | bool | Secret | None:
    """Get what a field holds, also an editable region, a list or a checkbox; secret fields are hidden."""
    async with tab.call(f"reading the value of {target}", seconds=timeout, looks=True) as deadline:
        value: str | bool | Secret | None = await ask_element(
            tab, target, "value", nth=nth, deadline=deadline
        )
        return value


@command(group="facts", checks_refs=True, examples=("get attr @e3 href",), words=("get attr",))
async def get_attribute(
    tab: Tab,
    target: Target,
    name: Annotated[str, Doc("name of the attribute")],
    *,
    nth: Nth = None,
    timeout: Timeout = READ_SECONDS,
) -> str | Secret | None:
    """An attribute of an element; nothing when it has none of that name."""
    async with tab.call(f"reading {name} of {target}", seconds=timeout, looks=True) as deadline:
        value: str | Secret | None = await ask_element(
            tab, target, "attribute", name, nth=nth, deadline=deadline
        )
        return value


@command(group="facts", checks_refs=True, examples=("get box @e3",))
async def get_box(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = READ_SECONDS) -> Box:
    """Where an element is, in pixels of the viewport."""
    async with tab.call(f"measuring {target}", seconds=timeout, looks=True) as deadline:
        return await box_of(tab, target, nth=nth, deadline=deadline)


@command(
    group="facts",
    checks_refs=True,
    examples=("get styles @e3", "get styles @e3 --names color --names font-size"),
)
async def get_styles(
    tab: Tab,
    target: Target,
    *,
    names: Annotated[Sequence[str], Doc("properties to tell; the usual ones when none is named")] = (),
    nth: Nth = None,
    timeout: Timeout = READ_SECONDS,
) -> dict[str, Any]:
    """How an element is styled in the end."""
    async with tab.call(f"reading the styles of {target}", seconds=timeout, looks=True) as deadline:
        return dict(await ask_element(tab, target, "styles", list(names), nth=nth, deadline=deadline))


@command(group="facts", examples=("get count li", "get count 'role=row'"))
async def get_count(tab: Tab, target: Target, *, timeout: Timeout = READ_SECONDS) -> int:
    """How many elements match, over all frames."""
    async with tab.call(f"counting {target}", seconds=timeout, looks=True) as deadline:
        return await count_of(tab, target, deadline=deadline)


@command(group="facts", checks_refs=True, examples=("is visible @e3", "is visible 'text=Saved'"))
async def is_visible(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = READ_SECONDS) -> bool:
    """Whether an element is shown; one that is not there is not."""
    async with tab.call(f"looking whether {target} is shown", seconds=timeout, looks=True) as deadline:
        return await state_of(tab, target, "visible", nth=nth, deadline=deadline)


@command(group="facts", checks_refs=True, examples=("is enabled @e3",))
async def is_enabled(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = READ_SECONDS) -> bool:
    """Whether an element can be used."""
    async with tab.call(f"looking whether {target} is enabled", seconds=timeout, looks=True) as deadline:
        return await state_of(tab, target, "enabled", nth=nth, deadline=deadline)


@command(group="facts", checks_refs=True, examples=("is checked @e3", "is checked 'label=Accept terms'"))
async def is_checked(tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = READ_SECONDS) -> bool:
    """Whether a checkbox, radio button, switch or option is on."""
    async with tab.call(f"looking whether {target} is on", seconds=timeout, looks=True) as deadline:
        return await state_of(tab, target, "checked", nth=nth, deadline=deadline)


@command(group="facts", scope=Scope.HOST, words=("get cdp-url",), examples=("get cdp-url",))
async def get_cdp_url(host: HostScope) -> str:
    """Where the browser of this session listens for others; one that we started does so for nobody."""
    session = host.session()
    if not session.address:
        raise Unsupported(
            "this browser has no address: we started it, and it is driven over a pipe that nobody else can open",
            hint="start one with --remote-debugging-port yourself|, then `connect PORT`",
        )
    return session.address
