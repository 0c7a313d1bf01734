"""URLs are parsed as Chromium parses them: the policy decides about what would be requested."""

import pytest

from boathook.engine.hosts.host_names import host_and_port
from boathook.errors import BadUrl

READ = """addresses => addresses.map(address => {
  try {
    const url = new URL(address);
    return [url.hostname.replace(/^\\[|\\]$/g, ''), url.port || { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443' }[url.protocol]];
  } catch { return null; }
})"""

HOSTS = [
    "example.org", "EXAMPLE.ORG", "example.org.", "exam%70le.org", "ex%2eample.org", "%65xample.org", "xn--bcher-kva.example",
    "bücher.example", "BÜCHER.example", "straße.example", "ΒΌΛΟΣ.example", "βόλος.example", "日本語.example", "ｅｘａｍｐｌｅ.org",
    "example。org", "example．org", "example｡org", "Å.example", "ſ.example", "ﬁ.example", "ℌ.example", "①.example",
    "127.0.0.1", "127.1", "127.0.1", "0x7f.0.0.1", "0X7F.1", "0177.0.0.1", "2130706433", "0x7f000001", "017700000001",
    "0xa9fea9fe", "169.254.43518", "127.0.0.1.", "127.0.0.0x", "1.2.3", "1e3", "0x", "0", "00.0.0.0",
    "①②⑦.⓪.⓪.①", "１２７.０.０.１", "[::1]", "[0:0::1]", "[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "[::127.0.0.1]",
    "[fd00:ec2::254]", "[2001:DB8::1]", "a.localhost", "LOCALHOST", "localhost.", "a_b.example", "-a.example", "a..example",
    "example.org%00", "exa mple.org", "exa\tmple.org", "exa<mple.org", "ex^ample.org", "ex|ample.org", "1.2.3.4.5", "256.0.0.1",
    "0.0.0.4294967296", "4294967296", "08.1", "1.2.3.08", "127.0x.1", "a.1", "a.0x1", "[::1", "[g::1]", "[fe80::1%25eth0]", "exa\u00admple.org",
    "exa\u200bmple.org", "a\u200db.example", "a\ufe0f.example", "%ff.example", "%E4%BD%A0.example", "*.example", "a,b.example", "a;b.example", "a!b.example", "a$b.example", "(a).example",
]  # fmt: skip
SHAPES = [
    "http://{}/", "https://{}/x", "https://{}:8443/", "ws://{}/", "wss://{}/", "http://{}", "http:{}", "http:/{}", "http:///{}", "http:\\\\{}\\x",
    "http:/\\{}/", "HTTP://{}/", "http://user@{}/", "http://user:pass@{}:81/", "http://good.example@{}/", "http://good.example:80@{}/",
    "http://good.example\\@{}/", "http://{}\\@good.example/", "http://{}?@good.example", "http://{}#@good.example", "http://{}/@good.example",
    "http://{}:/", "http://{}:080/", "http://{}:443/", "https://{}:80/", "http://a@b@{}/", "http://{}%2f@good.example/",
]  # fmt: skip


def ours(address):
    """The parsed host and port; None if the URL is refused."""
    try:
        place = host_and_port(address)
    except (BadUrl, UnicodeDecodeError):
        return None
    return place and [place[0], str(place[1])]


@pytest.mark.parametrize("shapes", [SHAPES[:1], SHAPES[1:]], ids=["every host", "every shape"])
async def test_our_reading_of_an_address_is_chromiums(tab, shapes):
    addresses = [shape.format(host) for shape in shapes for host in HOSTS]
    theirs = await tab.evaluate(READ, addresses)
    wrong = {}
    for address, seen in zip(addresses, theirs, strict=True):
        mine, chromiums = ours(address), seen and [seen[0].removesuffix("."), seen[1]]
        # What one of us refuses is opened by nobody; what both read must be the same.
        if mine is not None and mine != chromiums:
            wrong[address] = (mine, chromiums)
    assert wrong == {}
    both = sum(1 for address, seen in zip(addresses, theirs, strict=True) if seen and ours(address))
    assert both >= len(addresses) * 0.45, "most are read by both, so that the comparison means something"
