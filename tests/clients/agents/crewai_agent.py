"""An agent of CrewAI with the tools of an MCP server, over one session."""

import os

from crewai import LLM, Agent
from crewai_tools import MCPServerAdapter
from mcp import StdioServerParameters

server = StdioServerParameters(command=os.environ["MCP_SERVER"], args=[], env=dict(os.environ))
model = LLM(
    model="openai/gpt-4.1", base_url=f"{os.environ['MODEL_ORIGIN']}/v1", api_key=os.environ["MODEL_KEY"]
)

with MCPServerAdapter(server) as tools:
    agent = Agent(
        role="browser user", goal="Do what is asked in a browser.", backstory="", tools=tools, llm=model
    )
    print(agent.kickoff(os.environ["PROMPT"]).raw)
