// A polyfill of WebMCP (tools of pages) for browsers without it; installed before a page's first script.
(() => {
  if ('modelContext' in navigator) return;
  const tools = new Map();
  const checked = (tool) => {
    if (!tool || typeof tool.name !== 'string' || !tool.name || typeof tool.execute !== 'function') throw new TypeError('a tool must have a name and an execute function');
    return tool;
  };
  const context = {
    registerTool(tool) {
      if (tools.has(checked(tool).name)) throw new DOMException(`tool ${tool.name} already exists`, 'InvalidStateError');
      tools.set(tool.name, tool);
      return { unregister: () => tools.delete(tool.name) };
    },
    unregisterTool(name) { tools.delete(String(name)); },
    provideContext(given) {
      const all = [...(given && given.tools) || []].map(checked);
      tools.clear();
      for (const tool of all) tools.set(tool.name, tool);
    },
    clearContext() { tools.clear(); },
  };
  const asked = {
    listTools: () => [...tools.values()].map((tool) => ({ name: tool.name, description: String(tool.description || ''), inputSchema: JSON.stringify(tool.inputSchema || {}) })),
    async executeTool(name, input) {
      const tool = tools.get(name);
      if (!tool) throw new DOMException(`no such tool: ${name}`, 'NotFoundError');
      const given = await tool.execute(JSON.parse(input), { requestUserInteraction: (work) => work() });
      return typeof given === 'string' ? given : JSON.stringify(given);
    },
  };
  for (const [name, value] of Object.entries({ modelContext: context, modelContextTesting: asked }))
    Object.defineProperty(navigator, name, { value, configurable: true, enumerable: false });
})()
