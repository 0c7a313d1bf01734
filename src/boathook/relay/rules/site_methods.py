"""What a CDP method has to do with sites, for tabs of users who limit them. What is not listed here is refused then."""

from __future__ import annotations


def _of(domain: str, names: str) -> frozenset[str]:
    return frozenset(f"{domain}.{name}" for name in names.split())


OWN_DOMAINS = frozenset(
    [
        "Accessibility",
        "Animation",
        "CSS",
        "Console",
        "DOM",
        "DOMDebugger",
        "DOMSnapshot",
        "Debugger",
        "DeviceOrientation",
        "Emulation",
        "EventBreakpoints",
        "FindInPage",
        "HeapProfiler",
        "Input",
        "Inspector",
        "IO",
        "LayerTree",
        "Log",
        "Media",
        "Overlay",
        "Performance",
        "PerformanceTimeline",
        "Profiler",
        "Runtime",
        "Target",
        "WebAudio",
        "WebAuthn",
    ]
)
"""Their methods reach only the page of their session, which is of an allowed site and has no frames of others."""

LIMITED_DOMAINS = frozenset({"Audits", "CacheStorage", "Fetch", "Network", "Page", "Storage"})
"""Their methods reach further, and are allowed one by one, below."""

COOKIE_LISTS = frozenset({"Network.getAllCookies", "Network.getCookies", "Storage.getCookies"})
"""Cookies of other sites are omitted from the reply."""
COOKIE_WRITES = frozenset(
    {"Network.setCookie", "Network.setCookies", "Network.deleteCookies", "Storage.setCookies"}
)
"""Refused if one of the cookies is of another site."""

BY_REQUEST = (
    _of("Network", "getResponseBody getRequestPostData replayXHR searchInResponseBody streamResourceContent")
    | _of("Fetch", "continueRequest continueResponse continueWithAuth failRequest fulfillRequest")
    | _of("Fetch", "getResponseBody takeResponseBodyAsStream")
    | {"Audits.getEncodedResponse"}
)
"""Allowed for requests that were announced to clients."""

BY_SITE = (
    _of("Network", "getCertificate fetchSchemefulSite")
    | _of("CacheStorage", "deleteCache deleteEntry requestCacheNames requestCachedResponse requestEntries")
    | _of("Page", "getResourceContent searchInResource")
    | _of("Storage", "clearDataForOrigin clearDataForStorageKey getUsageAndQuota overrideQuotaForOrigin")
    | _of("Storage", "trackCacheStorageForOrigin trackCacheStorageForStorageKey trackIndexedDBForOrigin")
    | _of("Storage", "trackIndexedDBForStorageKey untrackCacheStorageForOrigin untrackIndexedDBForOrigin")
    | _of("Storage", "untrackCacheStorageForStorageKey untrackIndexedDBForStorageKey")
    | _of("Storage", "setStorageBucketTracking deleteStorageBucket")
)
"""Allowed if every URL, origin and storage key among the parameters is of an allowed site."""

PASSED = (
    _of("Audits", "checkFormsIssues")
    | _of("Network", "canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions")
    | _of("Network", "emulateNetworkConditions emulateNetworkConditionsByRule overrideNetworkState")
    | _of("Network", "setBlockedURLs setCacheDisabled setExtraHTTPHeaders setAttachDebugStack")
    | _of("Network", "setUserAgentOverride getSecurityIsolationStatus setAcceptedEncodings")
    | _of("Network", "clearAcceptedEncodingsOverride setBypassServiceWorker")
    | _of("Storage", "getStorageKeyForFrame getStorageKey")
    | _of("Page", "addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument bringToFront captureScreenshot")
    | _of("Page", "clearDeviceMetricsOverride clearDeviceOrientationOverride clearGeolocationOverride")
    | _of("Page", "createIsolatedWorld getAppManifest getInstallabilityErrors getManifestIcons getAppId")
    | _of("Page", "getFrameTree getLayoutMetrics getNavigationHistory getResourceTree navigate")
    | _of("Page", "handleJavaScriptDialog navigateToHistoryEntry printToPDF reload resetNavigationHistory")
    | _of("Page", "removeScriptToEvaluateOnLoad removeScriptToEvaluateOnNewDocument screencastFrameAck")
    | _of(
        "Page", "setAdBlockingEnabled setBypassCSP getPermissionsPolicyState getOriginTrials setFontFamilies"
    )
    | _of("Page", "setDeviceMetricsOverride setDeviceOrientationOverride setFontSizes setDocumentContent")
    | _of("Page", "setDownloadBehavior setGeolocationOverride setLifecycleEventsEnabled startScreencast")
    | _of("Page", "setTouchEmulationEnabled stopLoading crash close setWebLifecycleState stopScreencast")
    | _of("Page", "generateTestReport waitForDebugger setInterceptFileChooserDialog setPrerenderingAllowed")
    | _of("Page", "getAnnotatedPageContent")
)
"""Allowed; replies of some are filtered."""

REQUEST_EVENTS = _of(
    "Network",
    "dataReceived eventSourceMessageReceived loadingFailed loadingFinished requestServedFromCache"
    " resourceChangedPriority responseReceived webSocketClosed webSocketFrameError webSocketFrameReceived"
    " webSocketFrameSent webSocketHandshakeResponseReceived webSocketWillSendHandshakeRequest"
    " requestWillBeSentExtraInfo responseReceivedExtraInfo responseReceivedEarlyHints trustTokenOperationDone"
    " signedExchangeReceived",
)
"""Announced for requests that were announced."""
EARLY_EVENTS = _of(
    "Network", "requestWillBeSentExtraInfo responseReceivedExtraInfo responseReceivedEarlyHints"
)
"""They may precede the event that says which site a request is for, and contain its cookies."""
DECIDING_EVENTS = frozenset({"Network.requestWillBeSent", "Network.webSocketCreated"})
PASSED_EVENTS = frozenset({"Network.policyUpdated"})
