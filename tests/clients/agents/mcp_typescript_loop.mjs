// The smallest agent on the MCP SDK for TypeScript: list the tools, call them, send their content to the model.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const sdk = createRequire(`${process.env.SDK_FOLDER}/`);
const load = (name) => import(pathToFileURL(sdk.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

async function ask(messages, tools) {
  const answer = await fetch(`${process.env.MODEL_ORIGIN}/v1/messages`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "x-api-key": process.env.MODEL_KEY },
    body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 1000, messages, tools }),
  });
  return answer.json();
}

function block(part) {
  if (part.type !== "image") return { type: "text", text: part.text };
  return { type: "image", source: { type: "base64", media_type: part.mimeType, data: part.data } };
}

const client = new Client({ name: "loop", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.env.MCP_SERVER }));
const tools = (await client.listTools()).tools.map((tool) => ({
  name: tool.name,
  description: tool.description,
  input_schema: tool.inputSchema,
}));
const messages = [{ role: "user", content: process.env.PROMPT }];
for (;;) {
  const reply = await ask(messages, tools);
  messages.push({ role: "assistant", content: reply.content });
  const calls = reply.content.filter((part) => part.type === "tool_use");
  if (calls.length === 0) {
    console.log(reply.content[0].text);
    break;
  }
  const results = [];
  for (const call of calls) {
    const result = await client.callTool({ name: call.name, arguments: call.input });
    const content = result.content.filter((part) => part.type === "text" || part.type === "image").map(block);
    results.push({ type: "tool_result", tool_use_id: call.id, content, is_error: Boolean(result.isError) });
  }
  messages.push({ role: "user", content: results });
}
await client.close();
