"""Single facts about elements and the page, for scripts and checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from boathook.clock import READ_SECONDS, Deadline
from boathook.engine.content.element_facts import ask_element, box_of, count_of, state_of
from boathook.engine.tab import Tab
from boathook.errors import Unsupported
from boathook.redaction.secret import Secret
from boathook.registry.context import HostApi
from boathook.registry.registry import Doc, ElementTarget, Scope, command
from boathook.registry.script_helper import ScriptHelper
from boathook.values import Box

TARGET = Doc("element: a ref such as @e5, or role=button[name=Save], text=, label=, CSS …")
Target = Annotated[str, TARGET, ElementTarget()]
MaybeTarget = Annotated[str, TARGET]
Nth = Annotated[int | None, Doc("index of the match, from 0")]


@command(
    group="facts",
    doing="reading the text of {target}",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("text", ("target",)),),
    core=True,
    examples=("get text @e3", "get text 'role=alert'"),
)
async def get_text(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> str:
    """Get the visible text of an element."""
    return str(await ask_element(tab, target, "text", nth=nth, deadline=deadline))


@command(
    group="facts",
    doing="reading the markup of {target}",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("html", ("target",)),),
    examples=("get html @e3", "get html main"),
)
async def get_html(
    tab: Tab,
    target: Target,
    *,
    inner: Annotated[bool, Doc("only the content, without the element itself")] = False,
    nth: Nth = None,
    deadline: Deadline,
) -> str:
    """Get the outer HTML of an element, or with `inner` its content."""
    return str(await ask_element(tab, target, "innerHtml" if inner else "html", nth=nth, deadline=deadline))


@command(
    group="facts",
    doing="reading the value of {target}",
    timeout=READ_SECONDS,
    empty_answer="none",
    script_helpers=(ScriptHelper("value", ("target",)),),
    examples=("get value @e7", "get value label=Email"),
)
async def get_value(
    tab: Tab,
    target: Target,
    *,
    raw: Annotated[bool, Doc("the value that a form would send, instead of the one that is shown")] = False,
    nth: Nth = None,
    deadline: Deadline,
) -> str | bool | Secret | None:
    """Get the value of a field, editable region, select or checkbox. Secret values are hidden."""
    value: str | bool | Secret | None = await ask_element(
        tab, target, "rawValue" if raw else "value", nth=nth, deadline=deadline
    )
    return value


@command(
    group="facts",
    doing="reading {name} of {target}",
    timeout=READ_SECONDS,
    empty_answer="none",
    script_helpers=(ScriptHelper("attribute", ("target", "name")),),
    examples=("get attr @e3 href",),
    aliases=("get attr",),
)
async def get_attribute(
    tab: Tab,
    target: Target,
    name: Annotated[str, Doc("name of the attribute")],
    *,
    nth: Nth = None,
    deadline: Deadline,
) -> str | Secret | None:
    """Get an attribute of an element, or null if it does not have it."""
    value: str | Secret | None = await ask_element(tab, target, "attribute", name, nth=nth, deadline=deadline)
    return value


@command(
    group="facts",
    doing="measuring {target}",
    timeout=READ_SECONDS,
    examples=("get box @e3",),
)
async def get_box(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> Box:
    """Get the bounding box of an element in viewport pixels."""
    return await box_of(tab, target, nth=nth, deadline=deadline)


@command(
    group="facts",
    doing="reading the styles of {target}",
    timeout=READ_SECONDS,
    examples=("get styles @e3", "get styles @e3 --names color --names font-size"),
)
async def get_styles(
    tab: Tab,
    target: Target,
    *,
    names: Annotated[Sequence[str], Doc("CSS properties (default: common ones)")] = (),
    nth: Nth = None,
    deadline: Deadline,
) -> dict[str, Any]:
    """Get the computed styles of an element."""
    return dict(await ask_element(tab, target, "styles", list(names), nth=nth, deadline=deadline))


@command(
    group="facts",
    doing="counting {target}",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("count", ("target",)),),
    examples=("get count li", "get count 'role=row'"),
)
async def get_count(tab: Tab, target: MaybeTarget, *, deadline: Deadline) -> int:
    """Count matching elements in all frames."""
    return await count_of(tab, target, deadline=deadline)


@command(
    group="facts",
    doing="checking whether {target} is visible",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("is_visible", ("target",)),),
    examples=("is visible @e3", "is visible 'text=Saved'"),
)
async def is_visible(
    tab: Tab,
    target: MaybeTarget,
    *,
    must_exist: Annotated[bool, Doc("fail if it does not exist")] = False,
    nth: Nth = None,
    deadline: Deadline,
) -> bool:
    """Check whether an element is visible (false if it does not exist)."""
    return await state_of(tab, target, "visible", nth=nth, must_exist=must_exist, deadline=deadline)


@command(
    group="facts",
    doing="checking whether {target} is enabled",
    timeout=READ_SECONDS,
    examples=("is enabled @e3",),
)
async def is_enabled(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> bool:
    """Check whether an element is enabled."""
    return await state_of(tab, target, "enabled", nth=nth, deadline=deadline)


@command(
    group="facts",
    doing="checking whether {target} is on",
    timeout=READ_SECONDS,
    examples=("is checked @e3", "is checked 'label=Accept terms'"),
)
async def is_checked(tab: Tab, target: Target, *, nth: Nth = None, deadline: Deadline) -> bool:
    """Check whether a checkbox, radio button, switch or option is on."""
    return await state_of(tab, target, "checked", nth=nth, deadline=deadline)


@command(group="facts", scope=Scope.HOST, aliases=("get cdp-url",), own_text=True, examples=("get cdp-url",))
async def get_cdp_url(host: HostApi) -> str:
    """Get the CDP URL of this session's browser. Browsers started by Boathook have none."""
    session = host.session()
    if not session.address:
        raise Unsupported(
            "this browser has no CDP URL: Boathook started it and controls it over a private pipe",
            hint="start a browser with --remote-debugging-port|, then run `connect PORT`",
        )
    return session.address
