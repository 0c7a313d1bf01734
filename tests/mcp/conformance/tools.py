"""The tools that the conformance suite calls."""

import anyio.lowlevel
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.jsonrpc import MISSING_REQUIRED_CLIENT_CAPABILITY

from tests.mcp.conformance.content import AUDIO, IMAGE, done, embedded, needed, question, sampling, text

NOTHING = {"type": "object", "properties": {}}
STRING = {"type": "string"}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": STRING, "city": STRING},
        }
    },
    "properties": {
        "name": STRING,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": STRING,
        "email": STRING,
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
TOOLS = {}


def tool(schema=NOTHING, name=None):
    def register(function):
        TOOLS[name or function.__name__] = (schema, function)
        return function

    return register


@tool()
async def test_simple_text(ctx, params):
    return done(text("This is a simple text response for testing."))


@tool()
async def test_image_content(ctx, params):
    return done(IMAGE)


@tool()
async def test_audio_content(ctx, params):
    return done(AUDIO)


@tool()
async def test_embedded_resource(ctx, params):
    return done(embedded("test://embedded-resource", "This is an embedded resource content."))


@tool()
async def test_multiple_content_types(ctx, params):
    data = embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return done(text("Multiple content types test:"), IMAGE, data)


async def say(ctx, words, level="info"):
    await ctx.session.send_log_message(level, words, logger="conformance", related_request_id=ctx.request_id)


@tool()
async def test_tool_with_logging(ctx, params):
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await say(ctx, words)
        await anyio.lowlevel.checkpoint()
    return done(text("Logged three times."))


@tool()
async def test_logging_tool(ctx, params):
    await say(ctx, "Said while the tool runs")
    return done(text("Logged."))


@tool()
async def test_tool_with_progress(ctx, params):
    for progress in (0, 50, 100):
        await ctx.session.report_progress(progress, total=100)
        await anyio.lowlevel.checkpoint()
    return done(text("Told three times."))


@tool()
async def test_error_handling(ctx, params):
    words = "This tool intentionally returns an error for testing"
    return types.CallToolResult(content=[text(words)], is_error=True)


@tool({"type": "object", "properties": {"prompt": STRING}, "required": ["prompt"]})
async def test_sampling(ctx, params):
    message = types.SamplingMessage(role="user", content=text(params.arguments["prompt"]))
    answer = await ctx.session.create_message([message], max_tokens=100, related_request_id=ctx.request_id)
    return done(text(f"LLM response: {answer.content.text}"))


async def asked(ctx, message, schema, lead):
    answer = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
    return done(text(f"{lead}: action={answer.action}, content={answer.content}"))


@tool({"type": "object", "properties": {"message": STRING}, "required": ["message"]})
async def test_elicitation(ctx, params):
    schema = {
        "type": "object",
        "properties": {"response": {"type": "string", "description": "User's response"}},
        "required": ["response"],
    }
    return await asked(ctx, params.arguments["message"], schema, "User response")


@tool()
async def test_elicitation_sep1034_defaults(ctx, params):
    properties = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await asked(
        ctx, "With defaults", {"type": "object", "properties": properties}, "Elicitation completed"
    )


@tool()
async def test_elicitation_sep1330_enums(ctx, params):
    options = ["option1", "option2", "option3"]
    titled = [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)]
    names = ["Option One", "Option Two", "Option Three"]
    properties = {
        "untitledSingle": {"type": "string", "enum": options},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": names},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await asked(
        ctx, "With choices", {"type": "object", "properties": properties}, "Elicitation completed"
    )


@tool(SCHEMA, name="json_schema_2020_12_tool")
async def with_schema(ctx, params):
    return done(text("ok"))


@tool()
async def test_reconnection(ctx, params):
    if ctx.close_sse_stream is not None:
        await ctx.close_sse_stream()
        await anyio.lowlevel.checkpoint()
    return done(text("Reconnection test completed"))


def answer_to(params, key):
    """The answer under a key, when it is one."""
    found = (params.input_responses or {}).get(key)
    return found if found is not None else None


@tool()
async def test_input_required_result_elicitation(ctx, params):
    answer = answer_to(params, "user_name")
    if not isinstance(answer, types.ElicitResult) or "name" not in (answer.content or {}):
        return needed({"user_name": question("What is your name?", name=STRING)})
    return done(text(f"Hello, {answer.content['name']}!"))


@tool()
async def test_input_required_result_sampling(ctx, params):
    answer = answer_to(params, "capital_question")
    if answer is None:
        return needed({"capital_question": sampling("What is the capital of France?", 100)})
    return done(text(f"The model said: {answer.content.text}"))


@tool()
async def test_input_required_result_list_roots(ctx, params):
    answer = answer_to(params, "client_roots")
    if answer is None:
        return needed({"client_roots": types.ListRootsRequest()})
    return done(text(f"Roots: {', '.join(str(root.uri) for root in answer.roots)}"))


@tool()
async def test_input_required_result_request_state(ctx, params):
    if params.request_state is None:
        return needed({"confirm": question("Please confirm", ok={"type": "boolean"})}, "waiting")
    return done(text(f"state-ok: {params.request_state}"))


@tool()
async def test_input_required_result_tampered_state(ctx, params):
    return await test_input_required_result_request_state(ctx, params)


@tool()
async def test_input_required_result_multiple_inputs(ctx, params):
    wanted = {
        "user_name": question("What is your name?", name=STRING),
        "greeting": sampling("Generate a greeting", 50),
        "client_roots": types.ListRootsRequest(),
    }
    if not set(wanted) <= set(params.input_responses or {}):
        return needed(wanted, "waiting")
    return done(text("All three are here."))


@tool()
async def test_input_required_result_multi_round(ctx, params):
    if params.request_state is None:
        return needed({"step1": question("Step 1: What is your name?", name=STRING)}, "round 1")
    if params.request_state == "round 1":
        return needed({"step2": question("Step 2: What is your favorite color?", color=STRING)}, "round 2")
    return done(text("Both steps are done."))


@tool()
async def test_input_required_result_capabilities(ctx, params):
    can = ctx.session.client_capabilities
    wanted = {}
    if can is not None and can.elicitation is not None:
        wanted["user_name"] = question("What is your name?", name=STRING)
    if can is not None and can.sampling is not None:
        wanted["greeting"] = sampling("Generate a greeting", 50)
    if can is not None and can.roots is not None:
        wanted["client_roots"] = types.ListRootsRequest()
    return needed(wanted) if wanted and not params.input_responses else done(text("ok"))


@tool()
async def test_missing_capability(ctx, params):
    can = ctx.session.client_capabilities
    if can is None or can.sampling is None:
        data = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "the client cannot sample", data)
    return done(text("It can."))


@tool()
async def test_streaming_elicitation(ctx, params):
    await ctx.session.report_progress(1, total=2)
    return await test_input_required_result_elicitation(ctx, params)


@tool({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})
async def test_custom_headers(ctx, params):
    return done(text(f"region={(params.arguments or {}).get('region')}"))
