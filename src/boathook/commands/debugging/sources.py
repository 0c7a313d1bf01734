"""Source lookup: the files and lines that an element, a failed request or an error comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boathook.clock import Deadline
from boathook.engine.network.log.request_filters import filter_of
from boathook.engine.sources import find_sources
from boathook.engine.sources.candidates import ErrorSources, RequestSources, SourceLookup
from boathook.engine.sources.workspace import DEFAULT_FILES, MOST_FILES
from boathook.engine.tab import Tab
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.errors import BadRequest
from boathook.registry.parameters import Since
from boathook.registry.registry import Between, Doc, command

Root = Annotated[str | Path, Doc("the folder with the source files")]
MaxFiles = Annotated[int, Doc("maximum number of source files to search"), Between(1, MOST_FILES)]


@command(
    group="debug",
    doing="looking up a source",
    timeout=WAIT_SECONDS,
    reads_files=("root",),
    examples=(
        "source lookup @e3",
        "source lookup --component Checkout",
        "source lookup '#total' --root web/src",
    ),
)
async def source_lookup(
    tab: Tab,
    target: Annotated[str | None, Doc("element: a ref or a selector")] = None,
    *,
    component: Annotated[str | None, Doc("name of a component")] = None,
    component_id: Annotated[
        int | None, Doc("id of a component in `react tree`"), Between(1, 1_000_000)
    ] = None,
    dom_hints: Annotated[bool, Doc("also use attributes such as data-source-file")] = True,
    max_files: MaxFiles = DEFAULT_FILES,
    root: Root = ".",
    deadline: Deadline,
) -> SourceLookup:
    """Find the file and line of an element or a component, with confidence and evidence.

    Uses what React, Vue and Svelte note during development, attributes, source maps and the files of the folder.
    """
    if target is None and component is None and component_id is None:
        raise BadRequest(
            "source lookup needs an element or a component", hint="for example `source lookup @e3`"
        )
    return await find_sources.find_element_source(
        tab,
        target,
        component=component,
        component_id=component_id,
        dom_hints=dom_hints,
        root=Path(root),
        most_files=max_files,
        deadline=deadline,
    )


@command(
    group="debug",
    handles_dialog=True,
    doing="looking up sources of requests",
    timeout=WAIT_SECONDS,
    reads_files=("root",),
    examples=("source requests", "source requests /api/", "source requests --request 7"),
)
async def source_requests(
    tab: Tab,
    pattern: Annotated[str | None, Doc("substring of the URL, a glob with *, or re:…")] = None,
    *,
    request: Annotated[int | None, Doc("id of a request in the log")] = None,
    max_files: MaxFiles = DEFAULT_FILES,
    root: Root = ".",
) -> RequestSources:
    """Find the code that sent the requests that failed, by their initiators and by their paths."""
    wanted = filter_of(pattern=pattern, types=(), method=None, status=None, failed=True)
    failed = [
        found
        for found in tab.network.since(0)
        if wanted.wants(found) and (request is None or found.number == request)
    ]
    return await find_sources.find_request_source(tab, failed, root=Path(root), most_files=max_files)


@command(
    group="debug",
    handles_dialog=True,
    doing="looking up sources of errors",
    timeout=WAIT_SECONDS,
    reads_files=("root",),
    examples=("source errors", "source errors --root web/src"),
)
async def source_errors(
    tab: Tab, *, since: Since = None, max_files: MaxFiles = DEFAULT_FILES, root: Root = "."
) -> ErrorSources:
    """Find the files and lines of the errors in the console, by their stacks and source maps."""
    return await find_sources.find_error_source(tab, since=since or 0, root=Path(root), most_files=max_files)
