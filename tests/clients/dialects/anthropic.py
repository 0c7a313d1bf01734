"""Anthropic Messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.clients.conversation import Image, ModelReply, ModelRequest, OutputCollector, Tool
from tests.clients.dialects import event

if TYPE_CHECKING:
    from collections.abc import Iterator

USAGE = {"input_tokens": 10, "output_tokens": 10}


class AnthropicMessages:
    name = "Anthropic Messages"

    def matches(self, path: str) -> bool:
        return path.endswith("/messages")

    def read(self, path: str, body: dict[str, Any]) -> ModelRequest:
        collector = OutputCollector()
        for message in body["messages"]:
            for block in _blocks(message["content"]):
                if block["type"] == "tool_result":
                    content = _blocks(block.get("content") or [])
                    collector.add(
                        [part["text"] for part in content if part["type"] == "text"], _images(content)
                    )
                elif block["type"] == "image":
                    collector.extend_latest(_images([block]))
        tools = tuple(Tool(tool["name"]) for tool in body.get("tools", ()))
        return ModelRequest(body["model"], bool(body.get("stream")), tools, tuple(collector.outputs))

    def whole(self, reply: ModelReply, model: str) -> dict[str, Any]:
        return {
            **_head(reply, model),
            "content": [_block(reply)],
            "stop_reason": _stop_reason(reply),
            "usage": USAGE,
        }

    def events(self, reply: ModelReply, model: str) -> Iterator[bytes]:
        block = _block(reply)
        if reply.call:
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            empty = {**block, "input": {}}
        else:
            delta = {"type": "text_delta", "text": reply.text}
            empty = {**block, "text": ""}
        message = {**_head(reply, model), "content": [], "stop_reason": None, "usage": USAGE}
        stop = {"stop_reason": _stop_reason(reply), "stop_sequence": None}
        for data in (
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 10}},
            {"type": "message_stop"},
        ):
            yield event(data, named=True)


def _blocks(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _images(blocks: list[dict[str, Any]]) -> list[Image | None]:
    sources = [block["source"] for block in blocks if block["type"] == "image"]
    return [
        Image.from_base64(source["media_type"], source["data"])
        for source in sources
        if source["type"] == "base64"
    ]


def _head(reply: ModelReply, model: str) -> dict[str, Any]:
    return {
        "id": f"msg_{reply.id}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "stop_sequence": None,
    }


def _block(reply: ModelReply) -> dict[str, Any]:
    if reply.call is None:
        return {"type": "text", "text": reply.text}
    call = reply.call
    return {"type": "tool_use", "id": call.id, "name": call.tool.name, "input": call.arguments}


def _stop_reason(reply: ModelReply) -> str:
    return "tool_use" if reply.call else "end_turn"
