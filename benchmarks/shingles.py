"""How near the text of an article is to what was expected: shared runs of four words, without the lines on top."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser
from statistics import mean

SIZE = 4
# One character of these scripts is one word: they are written without spaces.
UNSPACED = "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")

BLOCKS = frozenset(
    "address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
UNREAD = frozenset("script style head template noscript title textarea select option".split())
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


def words(text: str) -> list[str]:
    """Words as they are compared: case, marks and underscores aside."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Each run of four words with how often it occurs; a shorter text is one run."""
    found = words(text)
    if len(found) < SIZE:
        return Counter([tuple(found)] if found else [])
    return Counter(tuple(found[at : at + SIZE]) for at in range(len(found) - SIZE + 1))


def precision_recall(expected: str, found: str) -> tuple[float, float]:
    """What of the found text is expected, and what of the expected text was found."""
    wanted, given = shingles(expected), shingles(found)
    shared = (wanted & given).total()
    return shared / max(1, given.total()), shared / max(1, wanted.total())


def averages(scores: list[tuple[float, float]]) -> dict[str, float]:
    """Mean precision and recall over pages, and the F1 of these means."""
    precision, recall = mean(p for p, _ in scores), mean(r for _, r in scores)
    total = precision + recall
    f1 = 2 * precision * recall / total if total else 0.0
    return {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)}


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in UNREAD and tag not in VOID:
            self.unread += 1
        if tag in BLOCKS:
            self.out.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in UNREAD:
            self.unread = max(0, self.unread - 1)
        if tag in BLOCKS:
            self.out.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unread:
            self.out.append(data.replace("\n", " "))


def text_of_html(source: str) -> str:
    """The text of a piece of HTML, a line for each block."""
    parser = _Text()
    parser.feed(source)
    parser.close()
    return "\n".join(line for line in map(str.strip, "".join(parser.out).split("\n")) if line)


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page says about itself in its head: titles and authors."""

    titles: tuple[str, ...]
    authors: tuple[str, ...]


_META = re.compile(r"<meta\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_H1 = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.IGNORECASE | re.DOTALL)
_JSON_AUTHOR = re.compile(r'"author"\s*:\s*[\[{\s]*(?:"@type"[^}]*?)?"name"\s*:\s*"([^"]{2,80})"')
TITLE_NAMES = frozenset({"og:title", "twitter:title", "dc.title", "title", "headline"})
AUTHOR_NAMES = frozenset(
    {"author", "article:author", "dc.creator", "byl", "parsely-author", "sailthru.author"}
)


def facts_of(source: str) -> PageFacts:
    """Titles and authors of a page's source."""
    titles = [text_of_html(found) for found in _TITLE.findall(source)[:1] + _H1.findall(source)[:3]]
    authors = _JSON_AUTHOR.findall(source)[:3]
    for tag in _META.findall(source):
        given = {name.lower(): one or two for name, one, two in _ATTRIBUTE.findall(tag)}
        name = (given.get("property") or given.get("name") or given.get("itemprop") or "").lower()
        if name in TITLE_NAMES:
            titles.append(given.get("content", ""))
        elif name in AUTHOR_NAMES:
            authors.append(given.get("content", ""))
    return PageFacts(
        tuple(filter(None, (" ".join(words(t)) for t in titles))),
        tuple(filter(None, (" ".join(words(a)) for a in authors))),
    )


TOP_LINES = 8
LONGEST_TOP_LINE = 30
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|juin|juil|août|déc|mär|okt|dez|ene|abr|ago|dic|gen|mag|giu|lug|set|ott"
_DATE = re.compile(
    rf"\b(?:19|20)\d\d\b.*|\b\d{{1,2}}\b.*\b(?:{_MONTH})\w*|\b(?:{_MONTH})\w* \d{{1,2}}\b|\b\d+ (?:min|hour|day|week|month|year)s?\b"
)


def body_of(text: str, facts: PageFacts) -> str:
    """The text without headline, byline and date among its first lines; the same rule for every tool.

    A line goes if it is one of the page's titles or a beginning of one, a name of its authors (also after "by"), or
    a date of at most twelve words.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    top = [line for line in lines[:TOP_LINES] if not _is_above_the_text(" ".join(words(line)), facts)]
    return "\n".join(top + lines[TOP_LINES:])


def _is_above_the_text(line: str, facts: PageFacts) -> bool:
    count = line.count(" ") + 1
    if not line or count > LONGEST_TOP_LINE:
        return not line
    if any(line == title or (count > 2 and title.startswith(line)) for title in facts.titles):
        return True
    if any(title == " ".join(words(line)) for title in facts.titles):
        return True
    if any(author in line and count <= author.count(" ") + 8 for author in facts.authors):
        return True
    if line.startswith("by ") and count <= 8:
        return True
    return count <= 12 and _DATE.search(line) is not None
