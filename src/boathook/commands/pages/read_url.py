"""Reading a URL without a browser, if its server offers Markdown or llms.txt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from boathook.engine.content import markdown_sources as sources
from boathook.engine.content.markdown_sources import Llms, SourceText
from boathook.errors import BadRequest, PageError
from boathook.registry.context import HostApi
from boathook.registry.registry import SECONDS, Between, Doc, Scope, command

if TYPE_CHECKING:
    from boathook.commands.results import ReadText
    from boathook.engine.network.proxy.fetch_url import FetchedBody

FETCH_SECONDS = 10.0


@command(
    group="read",
    scope=Scope.HOST,
    may_navigate=True,
    secrets=("headers",),
    aliases=("read url", "read URL"),
    examples=("read https://example.org/guide", "read https://example.org --llms index --filter install"),
)
async def read_url(
    host: HostApi,
    url: Annotated[str, Doc("the URL to read")],
    *,
    raw: Annotated[bool, Doc("the response body as sent by the server")] = False,
    require_md: Annotated[
        bool, Doc("fail if the server has no Markdown, instead of opening the page")
    ] = False,
    outline: Annotated[bool, Doc("only the headings")] = False,
    llms: Annotated[Llms | None, Doc("the site's llms.txt (index) or llms-full.txt (full) instead")] = None,
    filter: Annotated[str | None, Doc("only sections that contain this text")] = None,
    headers: Annotated[Mapping[str, str] | None, Doc("request headers, as JSON")] = None,
    timeout: Annotated[
        float, Doc("timeout in seconds for each request"), SECONDS, Between(0.1, 300)
    ] = FETCH_SECONDS,
) -> SourceText:
    """Read a URL without a browser: its Markdown or `llms.txt`. If it has neither, the page is opened and read."""
    if raw + require_md + (llms is not None) > 1:
        raise BadRequest("raw, require-md and llms are mutually exclusive", hint="pass only one of them")

    async def fetch(address: str) -> FetchedBody:
        accept = "*/*" if raw else sources.ACCEPT
        return await host.fetch(address, accept=accept, headers=headers, seconds=timeout)

    found: SourceText | None
    if raw:
        answer = await fetch(url)
        sources.require_answer(answer)
        return sources.raw_text(answer)
    if llms is not None:
        found = await sources.llms_text(url, llms, fetch)
    else:
        found = await sources.markdown_of(url, fetch)
    if found is None and require_md:
        raise PageError(f"no Markdown at {url[:200]}", hint="omit `--require-md` to read the page itself")
    return _select_sections(found or await _page(host, url), only_headings=outline, wanted=filter)


async def _page(host: HostApi, url: str) -> SourceText:
    """The content of the page, read in a separate tab that is closed afterwards."""
    tab = await host.run("tab_new", {"url": url})
    here = {"tab": tab.id}
    try:
        read: ReadText = await host.run("read", {}, settings=here)
    finally:
        await host.run("tab_close", {}, settings=here)
    page = read.page
    return SourceText(text=page.text, url=page.url, source="page", kind="text/html", cut=page.was_cut)


def _select_sections(found: SourceText, *, only_headings: bool, wanted: str | None) -> SourceText:
    text = found.text
    if wanted is not None:
        text = sources.sections_with(text, wanted)
        if not text:
            raise PageError(f"no section of {found.url[:200]} contains {wanted[:100]!r}")
    return replace(found, text=sources.outline(text) if only_headings else text)
