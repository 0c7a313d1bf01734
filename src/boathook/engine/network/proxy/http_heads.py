"""Heads of HTTP/1 messages, as far as a forward proxy has to parse them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

_HOP_BY_HOP = (b"connection:", b"proxy-connection:", b"keep-alive:", b"proxy-authorization:", b"upgrade:")
_LEAST_WORDS = {True: 2, False: 3}
HEAD_LIMIT = 256 * 1024
_INTERIM = range(100, 200)


class BadHead(ValueError):
    """Not the head of an HTTP/1 message, or too long for one."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first line and the fields of a request or a response."""

    raw: bytes

    @property
    def _first(self) -> list[str]:
        return self.raw.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)

    @property
    def method(self) -> str:
        """The target of a request."""
        return self._first[0]

    @property
    def target(self) -> str:
        """The host of a request."""
        return self._first[1]

    @property
    def status(self) -> int:
        """The status of a response."""
        return int(self._first[1]) if self._first[1].isdecimal() else 0

    @property
    def is_interim(self) -> bool:
        """Whether the final response follows."""
        return self.status in _INTERIM

    def forward_bytes(self, *, whole_address: bool, more: bytes = b"") -> bytes:
        """A request as the server receives it: its path only, unless another proxy follows; with `Connection: close`."""
        method, target, version = self._first
        if not whole_address:
            rest = target.split("://", 1)[1]
            cut = min((place for place in (rest.find("/"), rest.find("?")) if place >= 0), default=len(rest))
            path = rest[cut:]
            target = path if path.startswith("/") else f"/{path}"
        return self._rewrite(f"{method} {target} {version}".encode("latin-1"), more=more)

    def closing(self) -> bytes:
        """A response after which the connection is not reused."""
        return self._rewrite(self.raw.split(b"\r\n", 1)[0])

    def _rewrite(self, first: bytes, *, more: bytes = b"") -> bytes:
        fields = self.raw[:-4].split(b"\r\n")[1:]
        kept = [field for field in fields if not field.lower().startswith(_HOP_BY_HOP)]
        return b"\r\n".join([first, *kept, *more.splitlines(), b"Connection: close", b"", b""])


async def read_head(reader: asyncio.StreamReader) -> Head:
    """The next head; BadHead or EOFError if there is none. Bare line feeds are accepted, as in browsers."""
    lines: list[bytes] = []
    size = 0
    while not lines or lines[-1]:
        try:
            line = await reader.readline()
        except ValueError:
            raise BadHead("a header line is too long") from None
        size += len(line)
        if not line.endswith(b"\n"):
            raise EOFError
        if size > HEAD_LIMIT:
            raise BadHead("the header is too long")
        if not lines and not line.strip():
            continue  # an empty line before a message is none of it
        lines.append(line.rstrip(b"\r\n"))
    words = lines[0].split(b" ", 2)
    is_answer = words[0].startswith(b"HTTP/1.")
    if len(words) < _LEAST_WORDS[is_answer] or not (is_answer or words[-1].startswith(b"HTTP/1.")):
        raise BadHead("not an HTTP/1 message")
    return Head(b"\r\n".join([*lines, b""]))
