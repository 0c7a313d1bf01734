"""An agent of pydantic-ai, as its documentation builds one with an MCP server."""

import asyncio
import os

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

CALL_SECONDS = 60


async def main():
    provider = AnthropicProvider(api_key=os.environ["MODEL_KEY"], base_url=os.environ["MODEL_ORIGIN"])
    model = AnthropicModel("claude-sonnet-4-5", provider=provider)
    server = MCPToolset(
        StdioTransport(command=os.environ["MCP_SERVER"], args=[]),
        init_timeout=CALL_SECONDS,
        read_timeout=CALL_SECONDS,
    )
    agent = Agent(model, toolsets=[server])
    async with agent:
        result = await agent.run(os.environ["PROMPT"])
    print(result.output)


asyncio.run(main())
