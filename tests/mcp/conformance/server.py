"""A server for the conformance suite: the fixtures that it calls, served by our surface behind our guard.

`python -m tests.mcp.conformance.server PORT` serves until it is stopped. The suite has no token, so one is added.
"""

import asyncio
import json
import re
import secrets
import sys
import warnings

import mcp_types as types
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.streamable_http import EventMessage, EventStore
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from boathook.surfaces.mcp.http.http_server import bind_socket, guard_app, serve_http
from boathook.surfaces.mcp.start.sdk_server import server_of
from tests.mcp.conformance.content import IMAGE, PNG, embedded, needed, question, text
from tests.mcp.conformance.tools import TOOLS

TOKEN = secrets.token_urlsafe(32)
RESOURCES = {
    "test://static-text": ("text/plain", "This is the content of the static text resource."),
    "test://static-binary": ("image/png", None),
    "test://watched-resource": ("text/plain", "Watched resource content"),
}
TEMPLATE = re.compile(r"test://template/([^/]+)/data")
PROMPTS = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    "test_input_required_result_prompt": [],
}


class Fixtures:
    """The handlers of a server, made of fixtures."""

    async def list_tools(self, ctx, params):
        tools = [
            types.Tool(name=name, description=f"Fixture {name}", input_schema=schema)
            for name, (schema, _run) in TOOLS.items()
        ]
        return types.ListToolsResult(tools=tools)

    async def call_tool(self, ctx, params):
        if params.name not in TOOLS:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name}")
        return await TOOLS[params.name][1](ctx, params)

    async def list_resources(self, ctx, params):
        found = [
            types.Resource(uri=uri, name=uri, description=f"Fixture {uri}", mime_type=kind)
            for uri, (kind, _words) in RESOURCES.items()
        ]
        return types.ListResourcesResult(resources=found)

    async def list_resource_templates(self, ctx, params):
        one = types.ResourceTemplate(
            uri_template="test://template/{id}/data", name="template", mime_type="application/json"
        )
        return types.ListResourceTemplatesResult(resource_templates=[one])

    async def read_resource(self, ctx, params):
        uri = str(params.uri)
        if match := TEMPLATE.fullmatch(uri):
            data = {"id": match[1], "templateTest": True, "data": f"Data for ID: {match[1]}"}
            contents: types.TextResourceContents | types.BlobResourceContents = types.TextResourceContents(
                uri=uri, mime_type="application/json", text=json.dumps(data)
            )
        elif uri not in RESOURCES:
            raise MCPError(types.INVALID_PARAMS, "there is no such resource", {"uri": uri})
        elif RESOURCES[uri][1] is None:
            contents = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
        else:
            contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text=RESOURCES[uri][1])
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, ctx, params):
        prompts = [
            types.Prompt(
                name=name,
                description=f"Fixture {name}",
                arguments=[
                    types.PromptArgument(name=argument, description=argument, required=True)
                    for argument in arguments
                ],
            )
            for name, arguments in PROMPTS.items()
        ]
        return types.ListPromptsResult(prompts=prompts)

    async def set_logging_level(self, ctx, params):
        return types.EmptyResult()

    async def get_prompt(self, ctx, params):
        given = params.arguments or {}
        if params.name not in PROMPTS:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name}")
        if params.name == "test_input_required_result_prompt":
            answer = (params.input_responses or {}).get("user_context")
            if answer is None:
                return needed(
                    {
                        "user_context": question(
                            "What context should the prompt use?", context={"type": "string"}
                        )
                    }
                )
            return said(text(f"Use this: {answer.content}"))
        return said(
            *{
                "test_simple_prompt": [text("This is a simple prompt for testing.")],
                "test_prompt_with_arguments": [
                    text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")
                ],
                "test_prompt_with_embedded_resource": [
                    embedded(given.get("resourceUri", "test://x"), "Embedded resource content for testing."),
                    text("Please process the embedded resource above."),
                ],
                "test_prompt_with_image": [IMAGE, text("Please analyze the image above.")],
            }[params.name]
        )


def said(*parts):
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=part) for part in parts])


async def nothing(ctx, params):
    return types.EmptyResult()


async def completed(ctx, params):
    values = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))


class Remembered(EventStore):
    """Events of streams that were closed, so that clients can go on where they stopped."""

    def __init__(self):
        self._events = []

    async def store_event(self, stream_id, message):
        self._events.append((stream_id, message))
        return str(len(self._events))

    async def replay_events_after(self, last_event_id, send_callback):
        place = int(last_event_id)
        stream = self._events[place - 1][0]
        for number, (event, message) in enumerate(self._events[place:], place + 1):
            if event == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


def lending(app):
    """Add the token to requests without one: the suite cannot send it."""

    async def lent(scope, receive, send):
        if scope["type"] == "http":
            scope["headers"] = [*scope["headers"], (b"authorization", f"Bearer {TOKEN}".encode())]
        await app(scope, receive, send)

    return lent


def fixture_server():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        server = server_of(
            Fixtures(),
            instructions="Fixtures of the conformance suite.",
            on_completion=completed,
            on_subscribe_resource=nothing,
            on_unsubscribe_resource=nothing,
        )
    security = RequestStateSecurity(keys=[secrets.token_bytes(32)])
    server.middleware.append(RequestStateBoundary(security, default_audience=server.name))
    return server


async def main(port):
    with bind_socket(port) as listening:
        port = listening.getsockname()[1]
        app = guard_app(
            fixture_server(), port=port, token=TOKEN, event_store=Remembered(), retry_interval=100
        )
        sys.stdout.write(f"http://localhost:{port}/mcp\n")
        sys.stdout.flush()
        await serve_http(lending(app), listening)


if __name__ == "__main__":
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    asyncio.run(main(int(sys.argv[1])))
