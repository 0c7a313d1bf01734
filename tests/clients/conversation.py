"""One request to a model and one reply, in terms that are the same for every API."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Image:
    """An image that the API of the model takes as an image (base64 inside text is not one)."""

    media_type: str
    data: bytes

    @classmethod
    def from_base64(cls, media_type: str, text: str) -> Image | None:
        try:
            return cls(media_type, base64.b64decode(text, validate=True))
        except binascii.Error:
            return None

    @classmethod
    def from_data_url(cls, url: str) -> Image | None:
        head, _, data = url.partition(";base64,")
        return cls.from_base64(head.removeprefix("data:"), data) if url.startswith("data:image/") else None


@dataclass(frozen=True)
class ToolOutput:
    """What one tool call returned, as the model reads it."""

    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True)
class Tool:
    """A tool that the model may call; some APIs group tools under a namespace."""

    name: str
    namespace: str = ""

    @property
    def qualified_name(self) -> str:
        return f"{self.namespace}:{self.name}" if self.namespace else self.name


@dataclass(frozen=True)
class ModelRequest:
    """What an agent sent to the model."""

    model: str
    streamed: bool
    tools: tuple[Tool, ...]
    outputs: tuple[ToolOutput, ...]

    def tool(self, name: str) -> Tool | None:
        """The tool of ours with this name: agents put the server's name before it, or group it."""
        pattern = re.compile(rf"(?:.*boathook[^a-z]+)?{name}")
        return next((tool for tool in self.tools if pattern.fullmatch(tool.qualified_name)), None)


@dataclass(frozen=True)
class ToolCall:
    """The model's wish to call a tool."""

    id: str
    tool: Tool
    arguments: dict[str, Any]


@dataclass(frozen=True)
class ModelReply:
    """What the scripted model answers: a tool call, or the text that ends the conversation."""

    text: str = ""
    call: ToolCall | None = None

    @property
    def id(self) -> str:
        """Differs from turn to turn: some agents merge replies that have the same id."""
        return self.call.id if self.call else "final"


@dataclass
class OutputCollector:
    """Puts texts and images in their order together; an image in a later message belongs to the latest call."""

    outputs: list[ToolOutput] = field(default_factory=list)

    def add(self, texts: list[str], images: list[Image | None]) -> None:
        self.outputs.append(ToolOutput("\n".join(texts), tuple(image for image in images if image)))

    def extend_latest(self, images: list[Image | None]) -> None:
        found = tuple(image for image in images if image)
        if self.outputs and found:
            latest = self.outputs[-1]
            self.outputs[-1] = ToolOutput(latest.text, latest.images + found)


def readable_text(text: str) -> str:
    """The text without the escapes of JSON, in which some agents wrap a result (and its wrapping again)."""
    return re.sub(r'\\+"', '"', re.sub(r"\\+n", "\n", text))
