"""Libraries from PyPI and npm, each with a small agent from `agents/`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.clients.drivers import KEY, Client, Place, Start
from tests.clients.installing import NpmPackage, PythonPackages
from tests.clients.scenario import PROMPT

if TYPE_CHECKING:
    from collections.abc import Callable

AGENTS = Path(__file__).parent / "agents"
LANGCHAIN = PythonPackages(
    "langchain",
    (
        "langchain-mcp-adapters==0.3.2",
        "langchain==1.4.7",
        "langchain-anthropic==1.7.7",
        "langchain-openai==1.7.3",
    ),
)
TYPESCRIPT_SDK = NpmPackage("@modelcontextprotocol/sdk", "1.32.2")


def _agent(file: str, **variables: str) -> Callable[[Place], Start]:
    def start(place: Place) -> Start:
        given = {
            "MODEL_ORIGIN": place.model_origin,
            "MODEL_KEY": KEY,
            "MCP_SERVER": place.mcp_server,
            "PROMPT": PROMPT,
        }
        return Start([str(AGENTS / file)], {**given, **variables})

    return start


LIBRARIES = (
    Client(
        "pydantic-ai",
        "Anthropic Messages",
        PythonPackages("pydantic-ai", ("pydantic-ai-slim[anthropic,mcp]==2.66.0",)),
        _agent("pydantic_ai_agent.py"),
    ),
    Client(
        "langchain-mcp-adapters (Anthropic)",
        "Anthropic Messages",
        LANGCHAIN,
        _agent("langchain_agent.py", MODEL_API="anthropic"),
    ),
    Client(
        "langchain-mcp-adapters (OpenAI)",
        "OpenAI Chat Completions",
        LANGCHAIN,
        _agent("langchain_agent.py", MODEL_API="openai"),
    ),
    Client(
        "openai-agents",
        "OpenAI Responses",
        PythonPackages("openai-agents", ("openai-agents==0.24.0",)),
        _agent("openai_agent.py", OPENAI_AGENTS_DISABLE_TRACING="1"),
    ),
    Client(
        "CrewAI",
        "OpenAI Chat Completions",
        PythonPackages("crewai", ("crewai==1.15.30", "crewai-tools[mcp]==1.15.30")),
        _agent("crewai_agent.py", CREWAI_DISABLE_TELEMETRY="true", OTEL_SDK_DISABLED="true"),
        no_image="CrewAI sends the text of tool results alone; the text names the file",
    ),
    Client(
        "MCP SDK for Python",
        "Anthropic Messages",
        PythonPackages("mcp-python", ("mcp==2.3.0",)),
        _agent("mcp_python_loop.py"),
    ),
    Client(
        "MCP SDK for TypeScript",
        "Anthropic Messages",
        TYPESCRIPT_SDK,
        _agent("mcp_typescript_loop.mjs", SDK_FOLDER=str(TYPESCRIPT_SDK.folder)),
    ),
)
