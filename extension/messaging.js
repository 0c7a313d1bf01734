// Messages from the extension's pages to the service worker.

export async function ask(what, more = {}) {
  const reply = await chrome.runtime.sendMessage({ ask: what, ...more });
  if (!reply?.ok) throw new Error(reply?.error ?? "the extension did not answer");
  return reply.result;
}
