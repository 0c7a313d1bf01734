"""An agent of browser-use with an action of Boathook's, in the browser of browser-use."""

import asyncio
import os

from browser_use import ActionResult, Agent, BrowserSession, ChatOpenAI, Tools

import boathook

tools = Tools()


def read_with_boathook(cdp_url, target):
    with boathook.sync.attach(cdp_url) as browser:
        return str(browser.tab(target).read())


# In a thread: HTTP clients of the agent close connections in its event loop whose descriptors others already have.
@tools.action("Read the main content of the page as Markdown, without menus and banners")
async def read_page(browser_session: BrowserSession):
    target = browser_session.agent_focus_target_id
    text = await asyncio.to_thread(read_with_boathook, browser_session.cdp_url, target)
    return ActionResult(extracted_content=text)


async def main():
    model = ChatOpenAI(
        model="gpt-4.1", base_url=f"{os.environ['MODEL_ORIGIN']}/v1", api_key=os.environ["MODEL_KEY"]
    )
    browser = BrowserSession(headless=True, enable_default_extensions=False)
    agent = Agent(
        os.environ["PROMPT"],
        llm=model,
        tools=tools,
        browser_session=browser,
        use_vision=False,
        use_judge=False,
    )
    result = await agent.run(max_steps=5)
    print(result.final_result())


asyncio.run(main())
