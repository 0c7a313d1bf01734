"""Handlers for MCP requests: tools, resources and prompts, from the catalogue and the daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from boathook.errors import BadRequest, Denied
from boathook.surfaces.mcp.elicitation import ask, can_ask, confirmed_request, question_of
from boathook.surfaces.mcp.prompts import PROMPTS
from boathook.surfaces.mcp.resources import PAGE_OPEN, RESOURCES
from boathook.surfaces.mcp.tool_catalog import ToolCall, resolve_call
from boathook.surfaces.mcp.tool_results import OUTPUT_SCHEMA, result_of, result_of_error
from boathook.wire.failures import WireFailure

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from boathook.surfaces.mcp.daemon_caller import DaemonCaller, Tell
    from boathook.surfaces.mcp.prompts import Prompt
    from boathook.surfaces.mcp.tool_catalog import CatalogTool, ToolCatalog

    Context = ServerRequestContext[Any, Any]

NO_PAGE = "no page is open"
SHOWN = 60


class McpHandlers:
    """Answers the requests of MCP clients."""

    def __init__(self, tool_catalog: ToolCatalog, caller: DaemonCaller, *, structured: bool = False) -> None:
        self.tool_catalog = tool_catalog
        self._caller = caller
        self._structured = structured
        self._tools = [_to_mcp_tool(tool, structured=structured) for tool in tool_catalog]

    async def list_tools(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """List all tools, always in the same order."""
        del ctx, params
        return types.ListToolsResult(tools=self._tools)

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Run a tool; failures are results that a model can read, except for an unknown tool."""
        tool = self.tool_catalog.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"unknown tool: {params.name[:SHOWN]!r}")
        try:
            return await self._run_tool(
                ctx, resolve_call(tool, params.arguments or {}), confirmed=confirmed_request(params)
            )
        except (BadRequest, Denied, WireFailure) as error:
            return result_of_error(error, structured=self._structured)

    async def _run_tool(
        self, ctx: Context, asked: ToolCall, *, confirmed: str
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Run it; if it requires confirmation, ask the user once, if the client supports that."""
        outcome = await self._run(ctx, asked, confirmed=confirmed)
        question = question_of(outcome)
        if question is None or confirmed or not can_ask(ctx):
            return result_of(outcome, structured=self._structured)
        said = await ask(ctx, *question)
        if isinstance(said, types.InputRequiredResult):
            return said
        return result_of(await self._run(ctx, asked, confirmed=said), structured=self._structured)

    async def list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """List the resources: the current page, and the skill."""
        del ctx, params
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=resource.uri,
                    name=resource.name,
                    title=resource.title,
                    description=resource.description,
                    mime_type=resource.media_type,
                )
                for resource in RESOURCES.values()
            ]
        )

    async def list_resource_templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Always empty: all resources are listed."""
        del ctx, params
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Read the current text of a resource."""
        found = RESOURCES.get(str(params.uri))
        if found is None:
            raise MCPError(
                types.INVALID_PARAMS,
                f"unknown resource: {str(params.uri)[:SHOWN]!r}",
                {"uri": str(params.uri)},
            )
        try:
            text = await self._text(ctx, found.tool_call, needs_page=found.needs_page)
        except WireFailure as failure:
            raise MCPError(types.INTERNAL_ERROR, str(failure)) from failure
        contents = types.TextResourceContents(uri=found.uri, mime_type=found.media_type, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _text(self, ctx: Context, asked: ToolCall, *, needs_page: bool) -> str:
        if needs_page and not (await self._run(ctx, PAGE_OPEN))["ok"]:
            return NO_PAGE
        return str((await self._run(ctx, asked))["text"])

    async def list_prompts(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """List the prompts."""
        del ctx, params
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=prompt.name,
                    title=prompt.title,
                    description=prompt.description,
                    arguments=[
                        types.PromptArgument(name=name, description=doc, required=True)
                        for name, doc in prompt.arguments.items()
                    ],
                )
                for prompt in PROMPTS.values()
                if self._offers(prompt)
            ]
        )

    def _offers(self, prompt: Prompt) -> bool:
        return all(self.tool_catalog.get(name) is not None for name in prompt.tools)

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Get a prompt with its arguments filled in."""
        del ctx
        found = PROMPTS.get(params.name)
        if found is None or not self._offers(found):
            raise MCPError(types.INVALID_PARAMS, f"unknown prompt: {params.name[:SHOWN]!r}")
        try:
            text = found.fill(params.arguments or {})
        except BadRequest as error:
            raise MCPError(types.INVALID_PARAMS, error.message) from error
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=found.description, messages=[message])

    async def set_logging_level(self, ctx: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        """Accept any level: no log messages are sent."""
        del ctx, params
        return types.EmptyResult()

    async def _run(self, ctx: Context, asked: ToolCall, *, confirmed: str = "") -> dict[str, Any]:
        wants_progress = ctx.meta is not None and "progress_token" in ctx.meta
        tell = _teller(ctx) if wants_progress else None
        return await self._caller.run(
            asked, client=_client(ctx), tell=tell, part=_part(ctx), confirmed=confirmed
        )


def _to_mcp_tool(tool: CatalogTool, *, structured: bool) -> types.Tool:
    hints = tool.annotations
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=OUTPUT_SCHEMA if structured else None,
        annotations=types.ToolAnnotations(
            read_only_hint=hints["readOnlyHint"],
            destructive_hint=hints["destructiveHint"],
            idempotent_hint=hints["idempotentHint"],
            open_world_hint=hints["openWorldHint"],
        ),
    )


def _teller(ctx: Context) -> Tell:
    async def tell(seconds: float, text: str) -> None:
        await ctx.session.report_progress(seconds, message=text or f"still running after {seconds:.0f} s")

    return tell


def _client(ctx: Context) -> str:
    """The client's name, shown to callers whose tab it holds."""
    facts = ctx.session.client_params
    name = facts.client_info.name if facts is not None and facts.client_info is not None else ""
    return "".join(letter for letter in name if letter.isprintable())[:SHOWN] or "mcp"


def _part(ctx: Context) -> str:
    """Each protocol session of an HTTP server has its own browser session."""
    headers = getattr(ctx.request, "headers", None)
    id = headers.get("mcp-session-id") if headers is not None else None
    return f"-{id[:8]}" if id and id.isascii() and id.isalnum() else ""
