// The state of the connection in words: what it is, and what to do about it.

const STOPPED = { paused: "You have taken over", cancelled: "You cancelled debugging" };

/** @returns {{ kind: "stopped" | "connected" | "unpaired" | "offline", title: string, advice: string }} */
export function connection({ connected, why, stopped, paired }) {
  if (stopped) return { kind: "stopped", title: STOPPED[stopped] ?? stopped, advice: "Programs cannot use any tab until you hand back." };
  if (connected) return { kind: "connected", title: "Connected to the relay", advice: "" };
  if (!paired) return { kind: "unpaired", title: "Not paired", advice: "This extension has no pairing key yet. Set up shows what to do." };
  return { kind: "offline", title: "Not connected", advice: `${sentence(why || "looking for the relay")} Start it with: boathook relay` };
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
