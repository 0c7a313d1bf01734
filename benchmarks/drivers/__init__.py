"""Driver registry. To add a product: subclass base.Driver in one module and add a line to REGISTRY."""

from importlib import import_module

REGISTRY = {
    "boathook": ("boathook_py", "Boathook"),
    "boathook-default": ("boathook_py", "BoathookDefault"),
    "boathook-cli": ("boathook_cli", "BoathookCLI"),
    "boathook-mcp": ("boathook_mcp", "BoathookMCP"),
    "rawcdp": ("rawcdp", "RawCDP"),
    "rawcdp-pipe": ("rawcdp", "RawCDPPipe"),
    "agent-browser": ("agent_browser", "AgentBrowserCLI"),
    "agent-browser-mcp": ("mcp_tools", "AgentBrowserMCP"),
    "playwright-mcp": ("mcp_tools", "PlaywrightMCP"),
    "devtools-mcp": ("mcp_tools", "DevToolsMCP"),
    "playwright-cli": ("playwright_cli", "PlaywrightCLI"),
    "playwright-py": ("playwright_py", "PlaywrightPy"),
    "puppeteer": ("bridged", "Puppeteer"),
    "browser-use": ("bridged", "BrowserUse"),
    "zendriver": ("python_libs", "Zendriver"),
    "pydoll": ("python_libs", "Pydoll"),
}


def make(name: str):
    mod, cls = REGISTRY[name]
    return getattr(import_module(f"drivers.{mod}"), cls)()


def make_or_none(name: str, run):
    """The tool, or nothing and a note in the record when it is not installed."""
    try:
        driver = make(name)
        driver.check_installed()
    except (ImportError, SystemExit) as missing:
        if name not in run.record.errors:
            print(f"{name} is left out: {missing}")
        run.record.error(name, "installed", RuntimeError(f"left out: {missing}"))
        return None
    return driver
