"""What the fixtures of the conformance suite answer with."""

import base64
import struct
import zlib

import mcp_types as types


def text(words):
    return types.TextContent(type="text", text=words)


def _png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\x00\xff\x00\x00")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


PNG = base64.b64encode(_png()).decode()
_SILENCE = b"\x80" * 8
WAV = base64.b64encode(
    b"RIFF" + struct.pack("<I", 36 + len(_SILENCE)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    + b"data" + struct.pack("<I", len(_SILENCE)) + _SILENCE
).decode()  # fmt: skip
IMAGE = types.ImageContent(type="image", data=PNG, mime_type="image/png")
AUDIO = types.AudioContent(type="audio", data=WAV, mime_type="audio/wav")


def embedded(uri, words, media_type="text/plain"):
    contents = types.TextResourceContents(uri=uri, mime_type=media_type, text=words)
    return types.EmbeddedResource(type="resource", resource=contents)


def done(*parts):
    return types.CallToolResult(content=list(parts))


def question(message, **properties):
    """A form to be filled in by the user."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sampling(words, most):
    message = types.SamplingMessage(role="user", content=text(words))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=most)
    )


def needed(requests, state=None):
    return types.InputRequiredResult(input_requests=requests, request_state=state)
