"""Files with pages to check: TOML, or JSON with the same keys."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import urljoin

from boathook.errors import BadRequest
from boathook.similar_words import did_you_mean
from boathook.values import WaitUntil

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_PAGES = 500
TEXTS = ("text", "selector")
FLAGS = ("check_console", "check_errors", "check_network")
KEYS = ("url", "name", *TEXTS, "screenshot", *FLAGS, "wait_until")
EXAMPLE = '[[page]] with url = "/" and text = "Welcome"'


def read_pages(text: str, *, is_json: bool, base: str | None) -> list[dict[str, Any]]:
    """The pages of a file, each as arguments of a check, with defaults; BadRequest names the page and its wrong key."""
    try:
        data = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "JSON" if is_json else "TOML"
        raise BadRequest(f"the list of pages is not {kind}: {str(error)[:200]}") from None
    if not isinstance(data, dict) or not set(data) <= {"base", "defaults", "page"}:
        raise BadRequest("the list of pages must have the keys base, defaults and page", hint=EXAMPLE)
    pages, defaults = data.get("page"), data.get("defaults", {})
    if not isinstance(pages, list) or not 0 < len(pages) <= MOST_PAGES:
        raise BadRequest(f"page must be a list of 1 to {MOST_PAGES} pages", hint=EXAMPLE)
    _check_keys(defaults, "defaults")
    root = base or data.get("base") or ""
    if not isinstance(root, str):
        raise BadRequest("base must be a string")
    return [_page(page, number, defaults=defaults, base=root) for number, page in enumerate(pages, 1)]


def _page(given: Any, number: int, *, defaults: Mapping[str, Any], base: str) -> dict[str, Any]:
    where = f"page {number}"
    _check_keys(given, where)
    page = {**defaults, **given}
    if not page.get("url"):
        raise BadRequest(f"{where} has no url")
    page["url"] = urljoin(base, page["url"]) if base else page["url"]
    return page


def _check_keys(given: Any, where: str) -> None:
    if not isinstance(given, dict):
        raise BadRequest(f"{where} must be a table of keys and values")
    for key, value in given.items():
        if key not in KEYS:
            hint = did_you_mean(str(key), KEYS, otherwise=f"use {', '.join(KEYS)}")
            raise BadRequest(f"{where}: unknown key {str(key)[:40]!r}", hint=hint)
        if key in FLAGS:
            if not isinstance(value, bool):
                raise BadRequest(f"{where}: {key} must be true or false")
        elif isinstance(value, list) and key in TEXTS:
            if not all(isinstance(part, str) and part for part in value):
                raise BadRequest(f"{where}: {key} must be a list of strings")
        elif not isinstance(value, str) or not value:
            raise BadRequest(f"{where}: {key} must be a string")
    if given.get("wait_until", "load") not in get_args(WaitUntil):
        raise BadRequest(f"{where}: wait_until must be one of {', '.join(get_args(WaitUntil))}")
