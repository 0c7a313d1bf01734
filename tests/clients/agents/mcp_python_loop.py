"""The smallest agent on the MCP SDK for Python: list the tools, call them, send their content to the model."""

import asyncio
import json
import os
import urllib.request
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client


def ask(messages, tools):
    """One turn of the model, over Anthropic Messages."""
    body = {"model": "claude-sonnet-4-5", "max_tokens": 1000, "messages": messages, "tools": tools}
    request = urllib.request.Request(
        f"{os.environ['MODEL_ORIGIN']}/v1/messages",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "x-api-key": os.environ["MODEL_KEY"]},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def block(part):
    """A content block of MCP as one of the model's API."""
    if part.type == "image":
        source = {"type": "base64", "media_type": part.mime_type, "data": part.data}
        return {"type": "image", "source": source}
    return {"type": "text", "text": part.text}


async def main():
    async with Client(stdio_client(StdioServerParameters(command=os.environ["MCP_SERVER"]))) as client:
        listed = (await client.list_tools()).tools
        tools = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
            for tool in listed
        ]
        messages: list[dict[str, Any]] = [{"role": "user", "content": os.environ["PROMPT"]}]
        while True:
            reply = await asyncio.to_thread(ask, messages, tools)
            messages.append({"role": "assistant", "content": reply["content"]})
            calls = [part for part in reply["content"] if part["type"] == "tool_use"]
            if not calls:
                print(reply["content"][0]["text"])
                return
            results = [await outcome(client, call) for call in calls]
            messages.append({"role": "user", "content": results})


async def outcome(client, call):
    result = await client.call_tool(call["name"], call["input"])
    content = [block(part) for part in result.content if part.type in {"text", "image"}]
    return {
        "type": "tool_result",
        "tool_use_id": call["id"],
        "content": content,
        "is_error": bool(result.is_error),
    }


asyncio.run(main())
