"""What the relay knows about the protocol: tables of methods."""

from __future__ import annotations

CONTEXT_ID = "boathook-default-context"
"""The one browser context that clients see; Playwright requires a non-empty value in every target."""

INIT_METHODS = frozenset(
    {
        "Runtime.runIfWaitingForDebugger",
        "Runtime.addBinding",
        "Runtime.removeBinding",
        "Runtime.setAsyncCallStackDepth",
        "Page.getFrameTree",
        "Page.setLifecycleEventsEnabled",
        "Page.setInterceptFileChooserDialog",
        "Page.setPrerenderingAllowed",
        "Page.setBypassCSP",
        "Page.addScriptToEvaluateOnNewDocument",
        "Page.removeScriptToEvaluateOnNewDocument",
        "Page.createIsolatedWorld",
        "Page.setFontFamilies",
        "Network.setBypassServiceWorker",
        "Network.setExtraHTTPHeaders",
        "Network.setCacheDisabled",
        "Network.setAttachDebugStack",
        "Target.setAutoAttach",
        "Target.setDiscoverTargets",
        "Security.setIgnoreCertificateErrors",
        "Emulation.setEmulatedMedia",
        "Emulation.setDeviceMetricsOverride",
        "Emulation.setTouchEmulationEnabled",
        "Emulation.setDefaultBackgroundColorOverride",
        "Emulation.setAutomationOverride",
        "Emulation.setFocusEmulationEnabled",
        "Emulation.setScriptExecutionDisabled",
        "Emulation.setLocaleOverride",
        "Emulation.setTimezoneOverride",
        "Emulation.setUserAgentOverride",
        "Emulation.setGeolocationOverride",
        "Debugger.setAsyncCallStackDepth",
        "Page.setWebLifecycleState",
    }
)
"""What clients send to every page that is announced: it must not attach a debugger."""

ACTIVATION = "Page.bringToFront"
NEVER_FORWARDED = frozenset({"Page.setWebLifecycleState"})
CLOSING_METHODS = frozenset({"Page.close", "Page.crash"})
"""Methods that end a page; those of the user are never closed."""

NOT_FOUND_HERE = frozenset(
    {"ServiceWorker", "Security", "Media", "WebMCP", "Preload", "HeapProfiler", "Profiler"}
)
"""Domains that a tab's debugger lacks; enabling them is answered as done, since clients do so for every page."""

GATED_DOMAINS = frozenset(
    {
        "Accessibility",
        "Animation",
        "Audits",
        "CSS",
        "Console",
        "DOM",
        "Debugger",
        "Fetch",
        "Log",
        "Network",
        "Page",
        "Performance",
        "Runtime",
    }
)
"""Events of these go only to sessions that enabled the domain, as in a browser with several clients."""
UNGATED_EVENTS = frozenset({"Page.screencastFrame", "Page.screencastVisibilityChanged"})

READING_DOMAINS = (GATED_DOMAINS - {"Fetch"}) | NOT_FOUND_HERE | {"Inspector", "DOMSnapshot", "Overlay"}
"""Domains that may be enabled in read-only mode: the others would change how pages behave."""
READING_METHODS = frozenset(
    {
        "Accessibility.getFullAXTree",
        "Accessibility.getPartialAXTree",
        "Accessibility.getRootAXNode",
        "Accessibility.getChildAXNodes",
        "Accessibility.getAXNodeAndAncestors",
        "Accessibility.queryAXTree",
        "CSS.getComputedStyleForNode",
        "CSS.getMatchedStylesForNode",
        "CSS.getStyleSheetText",
        "DOM.describeNode",
        "DOM.getDocument",
        "DOM.getFlattenedDocument",
        "DOM.getOuterHTML",
        "DOM.getBoxModel",
        "DOM.getContentQuads",
        "DOM.getAttributes",
        "DOM.getNodeForLocation",
        "DOM.getFrameOwner",
        "DOM.querySelector",
        "DOM.querySelectorAll",
        "DOM.performSearch",
        "DOM.getSearchResults",
        "DOM.discardSearchResults",
        "DOM.requestNode",
        "DOM.requestChildNodes",
        "DOM.resolveNode",
        "DOM.pushNodesByBackendIdsToFrontend",
        "DOM.scrollIntoViewIfNeeded",
        "DOMSnapshot.captureSnapshot",
        "IO.read",
        "IO.close",
        "Network.getResponseBody",
        "Network.getRequestPostData",
        "Page.captureScreenshot",
        "Page.captureSnapshot",
        "Page.printToPDF",
        "Page.getFrameTree",
        "Page.getLayoutMetrics",
        "Page.getNavigationHistory",
        "Page.getResourceTree",
        "Page.getResourceContent",
        "Page.startScreencast",
        "Page.stopScreencast",
        "Page.screencastFrameAck",
        "Page.reload",
        "Performance.getMetrics",
        "Runtime.evaluate",
        "Runtime.callFunctionOn",
        "Runtime.getProperties",
        "Runtime.releaseObject",
        "Runtime.releaseObjectGroup",
        "Runtime.getIsolateId",
        "Runtime.getHeapUsage",
        "Runtime.globalLexicalScopeNames",
        "Runtime.runIfWaitingForDebugger",
        "Page.createIsolatedWorld",
        "Page.setLifecycleEventsEnabled",
        "Page.setInterceptFileChooserDialog",
        "Target.setAutoAttach",
        "Target.detachFromTarget",
        "Target.getTargetInfo",
        "Emulation.setFocusEmulationEnabled",
        "Page.setFontFamilies",
        "Page.handleJavaScriptDialog",
    }
)
"""All methods that are allowed in read-only mode; scripts run with side effects forbidden."""
SCRIPT_METHODS = frozenset({"Runtime.evaluate", "Runtime.callFunctionOn"})


class _OnlyReading:
    """In place of a boolean, so that no client can send it."""

    def __bool__(self) -> bool:
        return True


ONLY_READING = _OnlyReading()

MOVING_METHODS = frozenset(
    {"Page.navigate", "Page.navigateToHistoryEntry", "Page.setDocumentContent", "Page.resetNavigationHistory"}
)
"""Methods that navigate a tab; refused while URLs are locked. The network refuses what scripts attempt."""


def domain_of(method: str) -> str:
    """`Page` of `Page.enable`."""
    return method.partition(".")[0]


def is_switch(method: str) -> bool:
    """Whether it enables or disables a domain: by rule, since clients use new domains before we know them."""
    return method.endswith((".enable", ".disable"))


def is_init(method: str) -> bool:
    """Whether clients send it to pages that have not been used yet."""
    return is_switch(method) or method in INIT_METHODS
