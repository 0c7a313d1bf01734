"""An agent of LangChain with the tools of langchain-mcp-adapters, over one MCP session."""

import asyncio
import os

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from langchain_openai import ChatOpenAI


def chat_model():
    origin, key = os.environ["MODEL_ORIGIN"], os.environ["MODEL_KEY"]
    if os.environ["MODEL_API"] == "anthropic":
        return ChatAnthropic(model="claude-sonnet-4-5", base_url=origin, api_key=key)
    return ChatOpenAI(model="gpt-5", base_url=f"{origin}/v1", api_key=key, use_responses_api=False)


async def main():
    entry = {"command": os.environ["MCP_SERVER"], "args": [], "transport": "stdio"}
    client = MultiServerMCPClient({"boathook": entry})
    async with client.session("boathook") as session:
        agent = create_agent(chat_model(), await load_mcp_tools(session))
        result = await agent.ainvoke({"messages": [{"role": "user", "content": os.environ["PROMPT"]}]})
    print(result["messages"][-1].text)


asyncio.run(main())
