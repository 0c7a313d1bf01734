// The protocol with the relay. Generated from relay/extension/protocol.py by `make gen`; do not edit.

export const VERSION = 1;

export const Request = Object.freeze({
  TABS_LIST: "tabs.list",
  SETTINGS_GET: "settings.get",
  TAB_ATTACH: "tab.attach",
  TAB_DETACH: "tab.detach",
  TAB_CREATE: "tab.create",
  TAB_CLOSE: "tab.close",
  TAB_ACTIVATE: "tab.activate",
  DEBUGGER_SEND: "debugger.send",
  TABS_DRIVERS: "tabs.drivers",
  PROGRAMS: "programs",
  EXTENSION_RELOAD: "extension.reload",
  COOKIES_LIST: "cookies.list",
  COOKIES_CHANGE: "cookies.change",
  PERMISSIONS_APPLY: "permissions.apply",
  DOWNLOAD_CANCEL: "download.cancel",
  TABS_SETTLED: "tabs.settled",
});

export const Event = Object.freeze({
  READY: "ready",
  TAB_CHANGED: "tab.changed",
  TAB_GONE: "tab.gone",
  TAB_DETACHED: "tab.detached",
  DEBUGGER_EVENT: "debugger.event",
  SETTINGS: "settings",
  STOPPED: "stopped",
  DOWNLOAD: "download",
  PONG: "pong",
});

export const Handshake = Object.freeze({
  CHALLENGE: "challenge",
  HELLO: "hello",
  WELCOME: "welcome",
  PING: "ping",
});
