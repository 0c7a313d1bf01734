"""One widget of a public library, what is done to it, and what its own model must hold then."""

from __future__ import annotations

from dataclasses import dataclass

JQUERY = "<script src=/nm/jquery/dist/jquery.js></script>"
REACT = (
    "<script src=/nm/react/umd/react.production.min.js></script>"
    "<script src=/nm/react-dom/umd/react-dom.production.min.js></script><div id=root></div>"
)
SHOELACE = (
    "<link rel=stylesheet href=/nm/@shoelace-style/shoelace/cdn/themes/light.css>"
    "<script type=module src=/nm/@shoelace-style/shoelace/cdn/shoelace.js></script>"
)
ANTD = ("react@18", "react-dom@18", "dayjs@1", "antd@5")
ANTD_PAGE = (
    f"{REACT}<script src=/nm/dayjs/dayjs.min.js></script><script src=/nm/antd/dist/antd.min.js></script>"
)


@dataclass(frozen=True, kw_only=True)
class Widget:
    """One thing that is done to one widget."""

    name: str
    packages: tuple[str, ...]
    page: str
    action: str
    target: str
    value: object = None
    nth: int | None = None
    model: str
    expected: object
    holds: str = ""
    """What `get value` must print then, if it is a text."""
    ready: str = ""
    """What is true once the widget can be used, where its elements exist before that."""
    bundle: str = ""
    """A module to bundle with esbuild first; the page loads it as `bundle.js`."""
