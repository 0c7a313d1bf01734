"""All ids of next actions, with the reason that is printed and whether the call only reads.

Programs rely on the ids: one is never renamed or reused. `-1` to `-3` is added where several candidates are offered.
"""

from __future__ import annotations

from boathook.registry.context import NextAction

READS: dict[str, str] = {
    "inspect-opened-page": "see what is on the page",
    "refresh-interactive-refs": "see what is on the page now",
    "inspect-candidate": "inspect it",
    "inspect-visible-text-candidates": "read this one",
    "inspect-click-dispatch-miss": "see what is on the page now",
    "inspect-overlay-state": "inspect the element that covers it",
    "inspect-focused-combobox": "see whether its options are shown",
    "inspect-after-noop-scroll": "see what is on the page now",
    "verify-noop-scroll-visually": "see the page as an image",
    "inspect-page-after-navigation-error": "see what is on the page now",
    "inspect-after-timeout": "see what is on the page now",
    "inspect-after-text-assertion-failure": "see what is on the page instead",
    "inspect-current-page-after-timeout": "see what the step did",
    "inspect-dialog-after-timeout": "see the open dialog",
    "retry-timeout-step": "run the step again",
    "wait-for-download": "wait longer for the download",
    "use-saved-artifact": "use the file",
    "verify-artifact-path": "check which files exist",
    "list-artifacts": "list the files",
    "list-tabs-after-tab-gone": "list the open tabs",
    "list-tabs-for-tab-drift-recovery": "list the open tabs",
    "snapshot-after-tab-recovery": "see what is on this tab",
    "list-tabs-for-about-blank-recovery": "the page is blank: list the open tabs",
    "list-connected-session-tabs": "list the tabs of that browser",
    "verify-connected-session-url": "see which page is used",
    "verify-current-managed-session": "see where the running session is",
    "snapshot-current-managed-session": "see the page of the running session",
    "inspect-actionable-network-request": "see why it failed",
    "inspect-benign-network-request": "see why it failed",
    "inspect-network-request": "see the request in full",
    "inspect-routed-network-request": "see what the route did to it",
    "trace-actionable-network-source": "see what code sent it",
    "filter-network-requests-by-path": "list the requests to this path",
    "inspect-busy-session": "see which client uses which tab",
    "inspect-browser-profiles": "list the browser profiles",
    "list-sessions": "list the sessions",
    "run-agent-browser-doctor": "diagnose the problem",
}
"""Calls that only read."""
ACTS: dict[str, str] = {
    "use-nearest-match": "the nearest match",
    "try-current-visible-ref": "the same call on this element",
    "try-nearest-option": "the option with a similar name",
    "try-button-name-candidate": "the button with a similar name",
    "try-link-name-candidate": "the link with a similar name",
    "focus-current-editable-ref": "focus the field, then type",
    "click-current-editable-ref": "click the field, then type",
    "try-overlay-blocker-candidate": "closes the dialog",
    "try-closing-overlay": "often closes a dialog or menu",
    "scroll-target-into-view-after-dispatch-miss": "scroll it into view, then try again",
    "retry-click-after-dispatch-miss": "the same click again",
    "try-open-combobox-with-arrow": "open its list",
    "try-open-combobox-with-enter": "open its list",
    "try-scrollable-container": "scroll this element instead",
    "accept-dialog": "accept the dialog",
    "dismiss-dialog": "dismiss the dialog",
    "switch-to-opened-tab": "work in the new tab",
    "select-intended-tab-after-drift": "work in this tab",
    "open-tab-after-tab-gone": "open a new tab",
    "reload-crashed-tab": "reload the page",
    "start-fresh-session": "start a new session instead",
    "retry-fresh-managed-session": "try to start the new session again",
    "fresh-session-after-url-wait-timeout": "start a new session at this URL",
    "stop-pending-recording": "finish the video",
    "approve-confirmation": "a person approves it",
    "deny-confirmation": "a person denies it",
    "install-browser": "install a browser",
    "clear-network-requests-before-repro": "clear the log, then repeat the problem",
    "start-network-har-capture": "record the requests in a HAR file",
    "start-network-har-capture-for-route-mock": "record the requests in a HAR file",
}
"""Calls that change a page, a session or a file; a model asks itself whether it wants that."""


def suggest(
    id: str, *argv: str, number: int = 0, reason: str = "", safe: bool | None = None, path: str = ""
) -> NextAction:
    """The next action with this id; `number` distinguishes several candidates, `path` is a file instead of a call."""
    known = READS.get(id) or ACTS[id]
    return NextAction(
        id=f"{id}-{number}" if number else id,
        reason=reason or known,
        argv=argv,
        safe=id in READS if safe is None else safe,
        path=path,
    )
