// Stands in for a browser that knows tools of pages (WebMCP) where this one does not; pages find it before their first script.
(() => {
  if ('modelContext' in navigator) return;
  const tools = new Map();
  const checked = (tool) => {
    if (!tool || typeof tool.name !== 'string' || !tool.name || typeof tool.execute !== 'function') throw new TypeError('a tool has a name and a function to execute');
    return tool;
  };
  const context = {
    registerTool(tool) {
      if (tools.has(checked(tool).name)) throw new DOMException(`there is a tool ${tool.name} already`, 'InvalidStateError');
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
      if (!tool) throw new DOMException(`there is no tool ${name}`, 'NotFoundError');
      const given = await tool.execute(JSON.parse(input), { requestUserInteraction: (work) => work() });
      return typeof given === 'string' ? given : JSON.stringify(given);
    },
  };
  for (const [name, value] of [['modelContext', context], ['modelContextTesting', asked]])
    Object.defineProperty(navigator, name, { value, configurable: true, enumerable: false });
})()
