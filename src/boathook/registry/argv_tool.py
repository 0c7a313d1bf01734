"""The only tool of the set `argv`: one command line, or one of the structured inputs that stand for a command."""

from __future__ import annotations

from typing import Any

STRING: dict[str, Any] = {"type": "string"}
FLAG: dict[str, Any] = {"type": "boolean"}
STRINGS: dict[str, Any] = {"type": "array", "items": STRING, "minItems": 1}
MOST_FILES: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 5_000}
LOAD_STATES = ["domcontentloaded", "load", "networkidle"]


def _closed(properties: dict[str, Any], *required: str, description: str = "") -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if description:
        schema["description"] = description
    return schema | ({"required": list(required)} if required else {}) | {"additionalProperties": False}


_SEMANTIC = {
    "locator": {"type": "string", "enum": ["role", "text", "label", "placeholder", "alt", "title", "testid"]},
    "value": STRING,
    "values": STRINGS,
    "selector": STRING,
    "text": STRING,
    "role": STRING,
    "name": STRING,
}
_STEP = {
    "action": {
        "type": "string",
        "enum": [
            "open",
            "click",
            "fill",
            "type",
            "select",
            "wait",
            "assertText",
            "assertUrl",
            "waitForDownload",
            "screenshot",
            "snapshot",
        ],
    },
    "url": STRING,
    "loadState": {"type": "string", "enum": LOAD_STATES},
    **_SEMANTIC,
    "delayMs": {"type": "integer", "minimum": 1},
    "press": STRING,
    "milliseconds": {"type": "integer", "minimum": 1},
    "path": STRING,
}
STRUCTURED: dict[str, dict[str, Any]] = {
    "semanticAction": _closed(
        {
            "action": {"type": "string", "enum": ["click", "fill", "check", "uncheck", "select"]},
            **_SEMANTIC,
            "session": STRING,
        },
        "action",
        description="act on the one visible element with a role, label or text",
    ),
    "job": _closed(
        {
            "failFast": {**FLAG, "default": True},
            "steps": {"type": "array", "items": _closed(_STEP, "action"), "minItems": 1},
        },
        "steps",
        description="several steps in one call",
    ),
    "qa": _closed(
        {
            "url": STRING,
            "attached": {**FLAG, "description": "check the current page instead of a url"},
            "expectedText": {"anyOf": [STRING, STRINGS]},
            "expectedSelector": {"anyOf": [STRING, STRINGS]},
            "screenshotPath": STRING,
            "checkConsole": FLAG,
            "checkErrors": FLAG,
            "checkNetwork": FLAG,
            "loadState": {"type": "string", "enum": LOAD_STATES},
        },
        description="check a page: text, elements, console, errors, requests",
    ),
    "sourceLookup": _closed(
        {
            "selector": STRING,
            "reactFiberId": {"type": "integer", "minimum": 1},
            "componentName": STRING,
            "includeDomHints": {**FLAG, "default": True},
            "maxWorkspaceFiles": MOST_FILES,
        },
        description="find the source of an element or a component in the working directory",
    ),
    "networkSourceLookup": _closed(
        {
            "requestId": {"type": "integer", "minimum": 1},
            "filter": STRING,
            "url": STRING,
            "session": STRING,
            "maxWorkspaceFiles": MOST_FILES,
        },
        description="find the code that sent failed requests",
    ),
}
"""The structured inputs, by name."""
INPUTS = ("args", *STRUCTURED)
"""Every call has exactly one of these."""

ARGV: dict[str, Any] = {
    "name": "agent_browser",
    "title": "Browser by command line",
    "description": f'Run one boathook command line; ["skills", "get"] is the guide, ["--help"] lists the commands. Pass exactly one of {", ".join(INPUTS)}.',
    "inputSchema": _closed(
        {
            "args": {
                **STRINGS,
                "description": "arguments after the program name; no shell operators",
            },
            **STRUCTURED,
            "stdin": {"type": "string", "description": "standard input for the command of args"},
            "sessionMode": {
                "type": "string",
                "enum": ["auto", "fresh"],
                "description": "fresh starts a new session",
            },
            "outputPath": {"type": "string", "description": "file to write the result to"},
            "timeoutMs": {"type": "integer", "minimum": 1, "description": "timeout of the call"},
            "stopBefore": {"type": "string", "description": "refuse clicks on these phrases; on: payments"},
            "requiredArtifacts": {"type": "string", "description": "files to save before closing"},
        }
    ),
    "annotations": {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    },
    "argv": True,
}
