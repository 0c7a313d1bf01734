"""OpenAI Chat Completions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.clients.conversation import Image, ModelReply, ModelRequest, OutputCollector, Tool
from tests.clients.dialects import event

if TYPE_CHECKING:
    from collections.abc import Iterator

USAGE = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}


class ChatCompletions:
    name = "OpenAI Chat Completions"

    def matches(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def read(self, path: str, body: dict[str, Any]) -> ModelRequest:
        collector = OutputCollector()
        for message in body["messages"]:
            parts = _parts(message.get("content"))
            images = [
                Image.from_data_url(part["image_url"]["url"]) for part in parts if part["type"] == "image_url"
            ]
            if message["role"] == "tool":
                collector.add([part["text"] for part in parts if part["type"] == "text"], images)
            else:
                collector.extend_latest(images)
        tools = tuple(Tool(tool["function"]["name"]) for tool in body.get("tools", ()))
        return ModelRequest(body["model"], bool(body.get("stream")), tools, tuple(collector.outputs))

    def whole(self, reply: ModelReply, model: str) -> dict[str, Any]:
        choice = {"index": 0, "message": _message(reply), "finish_reason": _finish_reason(reply)}
        return {**_head(reply, model, kind="chat.completion"), "choices": [choice], "usage": USAGE}

    def events(self, reply: ModelReply, model: str) -> Iterator[bytes]:
        head = _head(reply, model, kind="chat.completion.chunk")
        delta = _message(reply)
        for index, call in enumerate(delta.get("tool_calls", ())):
            call["index"] = index
        for choice in (
            {"index": 0, "delta": delta, "finish_reason": None},
            {"index": 0, "delta": {}, "finish_reason": _finish_reason(reply)},
        ):
            yield event({**head, "choices": [choice]}, named=False)
        yield event({**head, "choices": [], "usage": USAGE}, named=False)
        yield b"data: [DONE]\n\n"


def _parts(content: str | list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


def _head(reply: ModelReply, model: str, *, kind: str) -> dict[str, Any]:
    return {"id": f"chat_{reply.id}", "object": kind, "created": 1, "model": model}


def _message(reply: ModelReply) -> dict[str, Any]:
    if reply.call is None:
        return {"role": "assistant", "content": reply.text}
    function = {"name": reply.call.tool.name, "arguments": json.dumps(reply.call.arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": reply.call.id, "type": "function", "function": function}],
    }


def _finish_reason(reply: ModelReply) -> str:
    return "tool_calls" if reply.call else "stop"
