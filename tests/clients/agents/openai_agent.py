"""An agent of the OpenAI Agents SDK with an MCP server."""

import asyncio
import os

from agents import Agent, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio
from agents.models.openai_responses import OpenAIResponsesModel
from openai import AsyncOpenAI

CALL_SECONDS = 60


async def main():
    set_tracing_disabled(disabled=True)
    client = AsyncOpenAI(base_url=f"{os.environ['MODEL_ORIGIN']}/v1", api_key=os.environ["MODEL_KEY"])
    async with MCPServerStdio(
        params={"command": os.environ["MCP_SERVER"], "args": []},
        name="boathook",
        client_session_timeout_seconds=CALL_SECONDS,
    ) as server:
        agent = Agent(
            name="harbour",
            model=OpenAIResponsesModel(model="gpt-5", openai_client=client),
            mcp_servers=[server],
        )
        result = await Runner.run(agent, os.environ["PROMPT"])
    print(result.final_output)


asyncio.run(main())
