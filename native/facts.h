/* What the native client shares with the Python one. Generated from that by `make gen`; do not edit. */
#ifndef BOATHOOK_FACTS_H
#define BOATHOOK_FACTS_H

#define BH_LIMIT_BYTES 67108864
#define BH_MOST_STDIN_BYTES 16777216
#define BH_PATH_BYTES 4096
#define BH_LONGEST_SOCKET_PATH 103
#define BH_DEFAULT_COLUMNS 80
#define BH_QUIET_SECONDS 2
#define BH_SHOWN_WORD 40
#define BH_HELLO_SECONDS 10
#define BH_SILENCE_SECONDS 30
#define BH_CANCEL_SECONDS 2
#define BH_PROTOCOL "1"
#define BH_CALL_ID "1"
#define BH_SOCKET_NAME "daemon.sock"
#define BH_COMPAT "BOATHOOK_COMPAT"
#define BH_AGENT_BROWSER "agent-browser"
#define BH_SCRIPT "boathook-python"
#define BH_FOR_NATIVE "--for-native"
#define BH_RUN "run"
#define BH_SILENT "silent"
#define BH_SILENCE "silence"
#define BH_LOST "lost"
#define BH_NOT_JSON "not-json"
#define BH_NO_TYPE "no-type"
#define BH_TOO_LARGE "too-large:"
#define BH_NOT_WRITTEN "not-written:"
#define BH_FOR_PYTHON "-e", "serve", "status", "install-extension", "update", "plugin", "agent", "--help", "-h", "help", "--version", "-V", "--complete", "completion", "mcp", "setup", "relay", "extension", "daemon", "uninstall", "version"
#define BH_PREFIXES "BOATHOOK_", "PUPPETEER_", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "all_proxy", "http_proxy", "https_proxy", "no_proxy", "AGENT_BROWSER_"
#define BH_TERMINAL_NAMES "NO_COLOR", "TERM", "TERM_PROGRAM"

#endif
