"""The inputs of the tool `agent_browser`: a command line, or a structured input that stands for a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest
from boathook.registry.argv_tool import ARGV, INPUTS
from boathook.surfaces.mcp.check_schema import check_value

if TYPE_CHECKING:
    from collections.abc import Mapping

OPERATORS = {"&&", "||", "|", ";", ">", ">>", "<"}
PROGRAMS = {"boathook", "bh", "agent-browser"}
GUARDS = {"stopBefore": "--stop-before", "requiredArtifacts": "--required-artifacts"}
COMMANDS: dict[str, tuple[str, dict[str, str]]] = {
    "semanticAction": ("do", {}),
    "job": ("job", {"failFast": "fail_fast"}),
    "qa": (
        "qa",
        {
            "expectedText": "text",
            "expectedSelector": "selector",
            "screenshotPath": "screenshot",
            "checkConsole": "check_console",
            "checkErrors": "check_errors",
            "checkNetwork": "check_network",
            "loadState": "wait_until",
        },
    ),
    "sourceLookup": (
        "source_lookup",
        {
            "selector": "target",
            "reactFiberId": "component_id",
            "componentName": "component",
            "includeDomHints": "dom_hints",
            "maxWorkspaceFiles": "max_files",
        },
    ),
    "networkSourceLookup": (
        "source_requests",
        {"requestId": "request", "filter": "pattern", "url": "pattern", "maxWorkspaceFiles": "max_files"},
    ),
}
"""The command of each structured input, and the parameters whose names differ from its fields."""


def require_one_input(given: Mapping[str, Any]) -> str:
    """The name of the only input of a call."""
    named = [name for name in INPUTS if given.get(name) is not None]
    if len(named) == 1:
        return named[0]
    every = ", ".join(INPUTS)
    if not named:
        raise BadRequest(
            f"an input is missing: pass one of {every}", hint='for example {"args": ["open", "example.org"]}'
        )
    raise BadRequest(f"{' and '.join(named)} are mutually exclusive", hint=f"pass exactly one of {every}")


def settings_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a call that are fields of the tool."""
    properties = ARGV["inputSchema"]["properties"]
    for name in ("stdin", "sessionMode", "outputPath", "timeoutMs"):
        if given.get(name) is not None:
            check_value(given[name], properties[name], name)
    settings: dict[str, Any] = {}
    if given.get("sessionMode") == "fresh":
        settings["fresh"] = True
    if given.get("timeoutMs") is not None:
        settings["timeout"] = given["timeoutMs"] / 1_000
    if given.get("outputPath") is not None:
        settings["output"] = given["outputPath"].removeprefix("@")
    return settings


def check_words(args: Any) -> list[str]:
    """The words of a command line, without what only a shell would understand."""
    if not isinstance(args, list) or not args or not all(isinstance(word, str) for word in args):
        raise BadRequest("args must be a list of strings", hint='for example ["open", "example.org"]')
    if found := OPERATORS.intersection(args):
        raise BadRequest(f"shell operators are not supported: {min(found)}", hint="use batch, or call again")
    if args[0] in PROGRAMS:
        raise BadRequest(f"args must not start with the program name {args[0]}", hint="omit it")
    return list(args)


def move_code_to_stdin(args: list[str], stdin: str | None) -> tuple[list[str], str | None]:
    """`eval --stdin CODE` without standard input means that the code is what would be read there."""
    if stdin is None and args[:2] == ["eval", "--stdin"] and len(args) > len(("eval", "--stdin")):
        return args[:2], " ".join(args[2:])
    return args, stdin


def guard_flags(given: Mapping[str, Any]) -> list[str]:
    """Guards as flags, which can only add to what the user has set."""
    for name in GUARDS:
        if given.get(name) is not None:
            check_value(given[name], ARGV["inputSchema"]["properties"][name], name)
    return [f"{flag}={given[name]}" for name, flag in GUARDS.items() if given.get(name)]


def structured_call(name: str, given: Mapping[str, Any]) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The command of a structured input, its arguments and its settings."""
    value, schema = given[name], ARGV["inputSchema"]["properties"][name]
    check_value(value, schema, name)
    for field in ("stdin", *GUARDS):
        if given.get(field) is not None:
            raise BadRequest(f"{field} is only for args, not for {name}", hint=f"omit {field}")
    if name == "qa" and value.get("attached") and given.get("sessionMode") == "fresh":
        raise BadRequest("qa.attached checks the current page, so sessionMode must not be fresh")
    if name == "networkSourceLookup" and not {"requestId", "filter", "url"} & value.keys():
        raise BadRequest("networkSourceLookup needs requestId, filter or url")
    command, renamed = COMMANDS[name]
    # Of two fields for the same parameter, the schema's first one counts: filter comes before url.
    fields = [field for field in reversed(schema["properties"]) if field in value and field != "session"]
    arguments = {renamed.get(field, field): value[field] for field in fields}
    settings = {"session": value["session"]} if value.get("session") else {}
    return command, arguments, settings
