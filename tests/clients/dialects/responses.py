"""OpenAI Responses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.clients.conversation import Image, ModelReply, ModelRequest, OutputCollector, Tool
from tests.clients.dialects import event

if TYPE_CHECKING:
    from collections.abc import Iterator

USAGE = {
    "input_tokens": 10,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 10,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 20,
}


class Responses:
    name = "OpenAI Responses"

    def matches(self, path: str) -> bool:
        return path.endswith("/responses")

    def read(self, path: str, body: dict[str, Any]) -> ModelRequest:
        collector = OutputCollector()
        for item in body["input"] if isinstance(body["input"], list) else ():
            if item.get("type") == "function_call_output":
                parts = _parts(item["output"])
                collector.add([part["text"] for part in parts if "text" in part], _images(parts))
            elif item.get("role") == "user":
                collector.extend_latest(_images(_parts(item["content"])))
        tools = tuple(_tools(body.get("tools", ())))
        return ModelRequest(body["model"], bool(body.get("stream")), tools, tuple(collector.outputs))

    def whole(self, reply: ModelReply, model: str) -> dict[str, Any]:
        return _response(reply, model, status="completed", output=[_item(reply)])

    def events(self, reply: ModelReply, model: str) -> Iterator[bytes]:
        item = _item(reply)
        if reply.call:
            pending = {**item, "arguments": "", "status": "in_progress"}
        else:
            pending = {**item, "content": [], "status": "in_progress"}
        place = {"item_id": item["id"], "output_index": 0}
        sequence: list[dict[str, Any]] = [
            {
                "type": "response.created",
                "response": _response(reply, model, status="in_progress", output=[]),
            },
            {"type": "response.output_item.added", "output_index": 0, "item": pending},
            *(_call_events(item, place) if reply.call else _text_events(item, place)),
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": self.whole(reply, model)},
        ]
        for number, data in enumerate(sequence):
            yield event({**data, "sequence_number": number}, named=True)


def _tools(listed: Any) -> Iterator[Tool]:
    for tool in listed:
        if tool["type"] == "function":
            yield Tool(tool["name"])
        elif tool["type"] == "namespace":
            for inner in tool["tools"]:
                yield Tool(inner["name"], namespace=tool["name"])


def _parts(output: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "input_text", "text": output}] if isinstance(output, str) else output


def _images(parts: list[dict[str, Any]]) -> list[Image | None]:
    return [Image.from_data_url(part["image_url"]) for part in parts if part["type"] == "input_image"]


def _item(reply: ModelReply) -> dict[str, Any]:
    if reply.call is None:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        return {
            "type": "message",
            "id": "item_1",
            "status": "completed",
            "role": "assistant",
            "content": content,
        }
    call = reply.call
    item = {
        "type": "function_call",
        "id": f"item_{call.id}",
        "status": "completed",
        "call_id": call.id,
        "name": call.tool.name,
        "arguments": json.dumps(call.arguments),
    }
    return {**item, "namespace": call.tool.namespace} if call.tool.namespace else item


def _call_events(item: dict[str, Any], place: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "response.function_call_arguments.delta", **place, "delta": item["arguments"]}
    yield {
        "type": "response.function_call_arguments.done",
        **place,
        "name": item["name"],
        "arguments": item["arguments"],
    }


def _text_events(item: dict[str, Any], place: dict[str, Any]) -> Iterator[dict[str, Any]]:
    place = {**place, "content_index": 0}
    part = item["content"][0]
    yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
    yield {"type": "response.output_text.delta", **place, "delta": part["text"], "logprobs": []}
    yield {"type": "response.output_text.done", **place, "text": part["text"], "logprobs": []}
    yield {"type": "response.content_part.done", **place, "part": part}


def _response(reply: ModelReply, model: str, *, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": f"resp_{reply.id}",
        "object": "response",
        "created_at": 1,
        "status": status,
        "model": model,
        "output": output,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": USAGE if status == "completed" else None,
    }
