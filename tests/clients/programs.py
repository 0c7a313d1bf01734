"""Agent programs from npm, each with settings for a scripted model: a dummy key, no telemetry, no updates."""

from __future__ import annotations

from tests.clients.drivers import KEY, Client, Place, Start, server_entry
from tests.clients.installing import NpmPackage
from tests.clients.scenario import PROMPT

CODEX_SETTINGS = """
model = "gpt-5"
model_provider = "scripted"
check_for_update_on_startup = false
approval_policy = "never"
sandbox_mode = "danger-full-access"

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "{origin}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"

[mcp_servers.boathook]
command = "{server}"
required = true  # else the first turn may begin before the server has answered
startup_timeout_sec = 60
tool_timeout_sec = 60
"""


def _claude_code(place: Place) -> Start:
    settings = place.write_json("mcp.json", server_entry(place, alwaysLoad=True))
    return Start(
        [
            "-p",
            PROMPT,
            "--model=claude-sonnet-4-5",
            "--mcp-config",
            str(settings),
            "--strict-mcp-config",
            "--allowedTools=mcp__boathook",
        ],
        {
            "ANTHROPIC_BASE_URL": place.model_origin,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "MCP_CONNECTION_NONBLOCKING": "false",
            "MCP_CONNECT_TIMEOUT_MS": "60000",
            "MCP_TIMEOUT": "60000",
        },
    )


def _codex(place: Place) -> Start:
    place.write_text(
        ".codex/config.toml", CODEX_SETTINGS.format(origin=place.model_origin, server=place.mcp_server)
    )
    return Start(["exec", "--skip-git-repo-check", PROMPT], {"SCRIPTED_KEY": KEY})


def _gemini(place: Place) -> Start:
    settings = {
        **server_entry(place, trust=True, timeout=60_000),
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    place.write_json(".gemini/settings.json", settings)
    return Start(
        ["-p", PROMPT, "--yolo", "--model=gemini-2.5-pro"],
        {
            "GEMINI_API_KEY": KEY,
            "GOOGLE_GEMINI_BASE_URL": place.model_origin,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
    )


def _opencode(place: Place) -> Start:
    settings = {
        "autoupdate": False,
        "share": "disabled",
        "provider": {
            "scripted": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "scripted",
                "options": {"baseURL": f"{place.model_origin}/v1", "apiKey": KEY},
                "models": {
                    "gpt-5": {
                        "name": "gpt-5",
                        "attachment": True,
                        "tool_call": True,
                        "modalities": {"input": ["text", "image"], "output": ["text"]},
                    }
                },
            }
        },
        "mcp": {
            "boathook": {"type": "local", "command": [place.mcp_server], "enabled": True, "timeout": 60_000}
        },
    }
    place.write_json(".config/opencode/opencode.json", settings)
    return Start(
        ["run", PROMPT, "--model=scripted/gpt-5"],
        {
            "OPENCODE_DISABLE_AUTOUPDATE": "true",
            "OPENCODE_DISABLE_MODELS_FETCH": "true",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "true",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "true",
        },
    )


def _qwen(place: Place) -> Start:
    settings = {
        **server_entry(place, trust=True, timeout=60_000),
        "security": {"auth": {"selectedType": "openai"}},
        "tools": {"toolSearch": {"enabled": False}},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    place.write_json(".qwen/settings.json", settings)
    return Start(
        ["-p", PROMPT, "--yolo"],
        {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": f"{place.model_origin}/v1",
            "OPENAI_MODEL": "qwen3-vl-plus",
        },
    )


PROGRAMS = (
    Client(
        "Claude Code",
        "Anthropic Messages",
        NpmPackage("@anthropic-ai/claude-code", "2.1.325", "cli-wrapper.cjs"),
        _claude_code,
    ),
    Client("Codex", "OpenAI Responses", NpmPackage("@openai/codex", "0.166.0", "bin/codex.js"), _codex),
    Client(
        "Gemini CLI",
        "Gemini generateContent",
        NpmPackage("@google/gemini-cli", "0.61.0", "bundle/gemini.js"),
        _gemini,
    ),
    Client(
        "OpenCode",
        "OpenAI Chat Completions",
        NpmPackage("opencode-ai", "1.18.33", "bin/opencode.exe", native=True),
        _opencode,
    ),
    Client(
        "Qwen Code", "OpenAI Chat Completions", NpmPackage("@qwen-code/qwen-code", "0.24.4", "cli.js"), _qwen
    ),
)
