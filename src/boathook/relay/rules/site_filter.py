"""What clients may learn and do under the user's lists of sites, for one debugger session of Chrome.

Chrome's own rules, set by the extension, decide about requests; this decides about commands, replies and events.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from boathook.relay.rules import site_methods as methods
from boathook.relay.rules.cdp_methods import NOT_FOUND_HERE, domain_of, is_switch
from boathook.relay.rules.site_replies import FILTERS, denied_parameter, denied_string
from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.rules.site_rules import SiteRules
    from boathook.relay.sessions.target_session import TargetSession

MOST_REQUESTS = 20_000
MOST_EARLY = 500
_LISTED = "CacheStorage.requestEntries"
_CACHED = "CacheStorage.requestCachedResponse"


class SiteFilter:
    """`announced` are the requests that clients know; those of other sites do not exist for them."""

    def __init__(self, target_session: TargetSession) -> None:
        self._target_session = target_session
        self._announced: OrderedDict[str, None] = OrderedDict()
        self._early: list[tuple[str, dict[str, Any]]] = []
        self._denied_frames: set[str] = set()

    @property
    def rules(self) -> SiteRules:
        """The lists, which the user may change at any time."""
        return self._target_session.tab.rules

    def check(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The parameters to continue with; CdpRefusal if the command would reach another site."""
        if not self.rules:
            return params
        domain = domain_of(method)
        known = methods.OWN_DOMAINS | methods.LIMITED_DOMAINS | NOT_FOUND_HERE
        if domain not in known:
            raise CdpRefusal(f"the user limits sites; {method} is refused")
        if params.get("frameId") in self._denied_frames:
            raise CdpRefusal("the user limits sites; this frame belongs to another")
        if is_switch(method) or domain not in methods.LIMITED_DOMAINS:
            return params
        if method in methods.COOKIE_WRITES:
            check_cookies(params.get("cookies") if method.endswith(".setCookies") else [params], self.rules)
        elif method in methods.BY_REQUEST:
            self._check_request(params)
        elif method in methods.BY_SITE:
            self._refuse_if(denied_parameter(params, self.rules))
            if method == _CACHED and _entry(params, params) not in self._announced:
                raise CdpRefusal(f"the user limits sites; list the cache first, with {_LISTED}")
        elif method not in methods.PASSED | methods.COOKIE_LISTS:
            raise CdpRefusal(f"the user limits sites; {method} is refused")
        return self._narrow(method, params)

    def _narrow(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        url = str(params.get("url", ""))
        if method == "Page.navigate":
            self._refuse_if(self.rules.why_not_plain(url))
        if method == "Fetch.continueRequest" and url:
            self._refuse_if(self.rules.why_not_given(url))
        if method == "Page.createIsolatedWorld":
            return {name: value for name, value in params.items() if not name.startswith("grantUniver")}
        return params

    def _check_request(self, params: dict[str, Any]) -> None:
        if str(params.get("requestId", "")) not in self._announced:
            raise CdpRefusal("No resource with given identifier found")

    def _refuse_if(self, why: str) -> None:
        if why:
            raise CdpRefusal(why)

    def filter_reply(self, method: str, params: dict[str, Any], done: Done) -> Done:
        """Pass a reply on without what belongs to other sites."""
        narrow = FILTERS.get(method)
        if not self.rules or narrow is None:
            return done

        def filtered(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
            try:
                kept = result if result is None else narrow(result, self.rules)
            except CdpRefusal as refusal:
                done(None, refusal)
                return
            if method == _LISTED and kept is not None:
                for entry in kept["cacheDataEntries"]:
                    self.announce(_entry(params, entry))
            done(kept, error)

        return filtered

    def events(self, method: str, params: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events to announce for one of Chrome's: none if it is about another site."""
        if method in {"Fetch.requestPaused", "Fetch.authRequired"}:
            self.announce(str(params["requestId"]))
        if not self.rules:
            yield method, params
        elif method in methods.DECIDING_EVENTS:
            yield from self._decide(method, params)
        elif method in methods.REQUEST_EVENTS:
            if str(params.get("requestId")) in self._announced:
                yield method, params
            elif method in methods.EARLY_EVENTS:
                self._early = [*self._early[-MOST_EARLY:], (method, params)]
        elif method == "Page.frameNavigated":
            yield from self._navigated(method, params)
        elif not self._is_hidden(method, params):
            yield method, params

    def _is_hidden(self, method: str, params: dict[str, Any]) -> bool:
        domain = domain_of(method)
        if domain in {"Audits", "Storage"}:
            return bool(denied_string(params, self.rules))
        if domain == "Network":
            return method not in methods.PASSED_EVENTS
        places = (params, params.get("entry"), params.get("targetInfo"), params.get("context"))
        return any(
            self.rules.why_not(str(place.get(name, "")))
            for place in places[0 if domain == "Page" else 1 :]
            if isinstance(place, dict)
            for name in ("url", "origin")
        )

    def announce(self, request_id: str) -> None:
        """Clients may use this request from now on."""
        self._announced[request_id] = None
        if len(self._announced) > MOST_REQUESTS:
            self._announced.popitem(last=False)

    def _decide(self, method: str, params: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        request_id = str(params["requestId"])
        early = [kept for kept in self._early if kept[1].get("requestId") == request_id]
        self._early = [kept for kept in self._early if kept[1].get("requestId") != request_id]
        url = params.get("url") or params.get("request", {}).get("url", "")
        if self.rules.why_not(url):
            self._announced.pop(request_id, None)
            return
        if self.rules.why_not(params.get("redirectResponse", {}).get("url", "")):
            params = {name: value for name, value in params.items() if not name.startswith("redirect")}
        self.announce(request_id)
        yield method, params
        yield from early

    def _navigated(self, method: str, params: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        frame = params["frame"]
        if not self.admits_frame(frame):
            return
        kept = {name: value for name, value in frame.items() if name != "unreachableUrl"}
        yield method, {**params, "frame": kept}

    def admits_frame(self, frame: dict[str, Any]) -> bool:
        """Whether a frame is of an allowed site; a blank one is of the site that its origin names."""
        urls = (frame.get("url", ""), frame.get("securityOrigin", ""))
        if any(self.rules.why_not(url) for url in urls):
            self._denied_frames.add(frame["id"])
            return False
        self._denied_frames.discard(frame["id"])
        return True


def check_cookies(cookies: Any, rules: SiteRules) -> None:
    """CdpRefusal if one of the cookies that a client sets or deletes is of another site."""
    if not isinstance(cookies, list) or not all(isinstance(cookie, dict) for cookie in cookies):
        raise CdpRefusal("cookies must be a list of objects")
    for cookie in cookies:
        if not cookie.get("url") and not cookie.get("domain"):
            raise CdpRefusal("the user limits sites; name the url or the domain of the cookie")
        partition = cookie.get("partitionKey") or {}
        site = partition.get("topLevelSite", "") if isinstance(partition, dict) else partition
        reasons = (
            rules.why_not_given(str(cookie["url"])) if cookie.get("url") else "",
            rules.why_not_cookie(str(cookie["domain"])) if cookie.get("domain") else "",
            rules.why_not_given(str(site)) if site else "",
        )
        for why in filter(None, reasons):
            raise CdpRefusal(why)


def _entry(cache: dict[str, Any], entry: dict[str, Any]) -> str:
    return f"{cache.get('cacheId')} {entry.get('requestURL')}"
