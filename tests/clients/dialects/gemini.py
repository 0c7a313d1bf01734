"""Gemini generateContent and streamGenerateContent."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.clients.conversation import Image, ModelReply, ModelRequest, OutputCollector, Tool

if TYPE_CHECKING:
    from collections.abc import Iterator

USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
PATH = re.compile(r"/models/([^/:]+):(generateContent|streamGenerateContent)")


class GeminiGenerateContent:
    name = "Gemini generateContent"

    def matches(self, path: str) -> bool:
        return PATH.search(path) is not None

    def read(self, path: str, body: dict[str, Any]) -> ModelRequest:
        found = PATH.search(path)
        assert found is not None
        collector = OutputCollector()
        for content in body["contents"]:
            for part in content.get("parts", ()):
                if "functionResponse" in part:
                    answer = part["functionResponse"]
                    collector.add([json.dumps(answer["response"])], _images(answer.get("parts", ())))
                else:
                    collector.extend_latest(_images([part]))
        tools = tuple(
            Tool(declared["name"])
            for group in body.get("tools", ())
            for declared in group.get("functionDeclarations", ())
        )
        return ModelRequest(
            found.group(1), found.group(2).startswith("stream"), tools, tuple(collector.outputs)
        )

    def whole(self, reply: ModelReply, model: str) -> dict[str, Any]:
        if reply.call:
            part: dict[str, Any] = {
                "functionCall": {"name": reply.call.tool.name, "args": reply.call.arguments}
            }
        else:
            part = {"text": reply.text}
        candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        return {
            "candidates": [candidate],
            "usageMetadata": USAGE,
            "modelVersion": model,
            "responseId": f"reply_{reply.id}",
        }

    def events(self, reply: ModelReply, model: str) -> Iterator[bytes]:
        yield f"data: {json.dumps(self.whole(reply, model))}\r\n\r\n".encode()


def _images(parts: Any) -> list[Image | None]:
    blobs = [part["inlineData"] for part in parts if "inlineData" in part]
    return [Image.from_base64(blob["mimeType"], blob["data"]) for blob in blobs]
