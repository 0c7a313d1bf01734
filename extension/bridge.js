// The socket to the relay: both sides prove that they know the key before anything else is sent.

import { browserName } from "./browser_name.js";
import { Event, Handshake, VERSION } from "./protocol.js";
import { installId, settings } from "./settings.js";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
const LARGEST = 48 * 1024 * 1024;
const encoder = new TextEncoder();

export class Bridge {
  constructor({ onCall, onOpen, onClose }) {
    this.onCall = onCall;
    this.onOpen = onOpen;
    this.onClose = onClose;
    this.socket = null;
    this.open = false;
    this.wait = FIRST_WAIT;
    this.timer = 0;
    this.why = "";
    this.used = { relay: "", key: "" };
    this.profile = ""; // the name that the relay uses if the user has set none
    this.held = null; // events before the initial report; they are sent afterwards
  }

  async connect() {
    clearTimeout(this.timer);
    if (this.socket) return;
    const { relay, key } = await settings();
    if (this.socket) return;
    this.used = { relay, key };
    if (!key) {
      this.why = "no pairing key: run `boathook relay install`, or paste the key on the options page";
      return;
    }
    const socket = (this.socket = new WebSocket(relay));
    socket.onmessage = (event) => this.take(socket, key, JSON.parse(event.data));
    socket.onclose = (event) => this.closed(socket, event);
  }

  // After a change of the settings: connect again if it concerns the connection.
  async apply() {
    const { relay, key } = await settings();
    if (relay !== this.used.relay || key !== this.used.key) await this.restart();
  }

  // Disconnect and reconnect at once, as after a change of the URL.
  async restart() {
    this.wait = FIRST_WAIT;
    const socket = this.socket;
    if (socket) socket.close(1000);
    else await this.connect();
  }

  async closed(socket, event) {
    if (this.socket !== socket) return;
    const wasOpen = this.open;
    Object.assign(this, { socket: null, open: false, held: null });
    this.why = event.reason || (wasOpen ? "the relay disconnected" : "no relay responds");
    this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = wasOpen ? FIRST_WAIT : Math.min(this.wait * 2, LONGEST_WAIT);
    if (wasOpen) await this.onClose();
  }

  send(message) {
    if (!this.open) return;
    if (this.held) this.held.push(message);
    else this.write(message);
  }

  write(message) {
    let text = JSON.stringify(message);
    if (text.length > LARGEST && "id" in message) {
      text = JSON.stringify({ id: message.id, error: { code: -32000, message: `the response is too large: ${text.length} characters` } });
    }
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  async take(socket, key, message) {
    if (this.socket !== socket) return;
    if (this.open) return this.answer(message);
    if (message.method === Handshake.CHALLENGE) return this.hello(key, message.params.nonce);
    if (message.method === Handshake.WELCOME && message.params.proof === this.expected) {
      Object.assign(this, { open: true, wait: FIRST_WAIT, why: "", held: [], profile: message.params.profile ?? "" });
      return this.begin(socket);
    }
    socket.close(4000, "the relay does not accept the pairing key");
  }

  // The relay accepts a connection only after its initial report.
  async begin(socket) {
    const ready = await this.onOpen();
    if (this.socket !== socket) return;
    const held = this.held;
    this.held = null;
    for (const message of [ready, ...held]) this.write(message);
  }

  async hello(key, theirs) {
    const ours = crypto.randomUUID();
    this.expected = await proof(key, `relay:${theirs}:${ours}`);
    this.write({
      method: Handshake.HELLO,
      params: {
        nonce: ours,
        proof: await proof(key, `extension:${theirs}:${ours}`),
        protocol: VERSION,
        installId: await installId(),
        version: chrome.runtime.getManifest().version,
        browser: browserName(),
        userAgent: navigator.userAgent,
        browserVersion: await browserVersion(),
      },
    });
  }

  async answer({ id, method, params }) {
    if (method === Handshake.PING) return this.write({ method: Event.PONG });
    try {
      this.write({ id, result: (await this.onCall(method, params)) ?? {} });
    } catch (error) {
      this.write({ id, error: readable(error) });
    }
  }
}

// The user agent has only the first part.
async function browserVersion() {
  const { uaFullVersion } = (await navigator["userAgentData"]?.getHighEntropyValues(["uaFullVersion"])) ?? {};
  return uaFullVersion ?? "";
}

// chrome.debugger hands over protocol errors as JSON text.
function readable(error) {
  const text = String(error?.message ?? error);
  try {
    const { code, message } = JSON.parse(text);
    if (message) return { code: code ?? -32000, message };
  } catch {
    // not JSON
  }
  return { code: -32000, message: text };
}

async function proof(key, text) {
  const secret = await crypto.subtle.importKey("raw", encoder.encode(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", secret, encoder.encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
