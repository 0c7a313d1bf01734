"""Which hosts may be reached: by name, by address, in every spelling; no browser is needed for it."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathook.engine.hosts import search_domains
from boathook.engine.hosts.host_names import canonical_host, host_and_port, kind_of
from boathook.engine.hosts.host_policy import (
    UNLIMITED,
    HostPattern,
    HostPolicy,
    common_patterns,
    host_pattern,
    host_patterns,
)
from boathook.errors import BadSetting, BadUrl, PolicyBlocked


def host_policy(*allowed, denied=(), private=None):
    return HostPolicy(
        allowed=host_patterns(allowed) if allowed else None, denied=host_patterns(denied), private=private
    )


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("EXAMPLE.org", "example.org"),
        ("example.org.", "example.org"),
        ("ex%61mple.org", "example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("Bücher.EXAMPLE", "xn--bcher-kva.example"),
        ("straße.example", "xn--strae-oqa.example"),
        ("ｅｘａｍｐｌｅ．ｏｒｇ", "example.org"),
        ("example。org", "example.org"),
        ("127.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0xA9FEA9FE", "169.254.169.254"),
        ("①②⑦.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[::ffff:127.0.0.1]", "::ffff:7f00:1"),
    ],
)
def test_every_spelling_of_a_host_is_the_same_host(written, host):
    assert canonical_host(written) == host


@pytest.mark.parametrize(
    "written",
    [
        "",
        "a b",
        "a/b",
        "1.2.3.4.5",
        "256.1.1.1.",
        "08.0.0.1",
        "[::1",
        "[fe80::1%eth0]",
        "exa\u00admple.org",
        "a\u200db",
        "%00",
    ],
)
def test_what_no_browser_takes_for_a_host_is_refused(written):
    with pytest.raises(BadUrl):
        canonical_host(written)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("http://example.org/x", ("example.org", 80)),
        ("https://example.org", ("example.org", 443)),
        ("https://example.org:8443/", ("example.org", 8443)),
        ("https://good.example@evil.example/", ("evil.example", 443)),
        ("https://good.example:443@evil.example:81/", ("evil.example", 81)),
        ("https:\\\\evil.example\\@good.example/", ("evil.example", 443)),
        ("https:evil.example", ("evil.example", 443)),
        ("https:////evil.example/x", ("evil.example", 443)),
        ("http://[::1]:8080/", ("::1", 8080)),
        ("wss://example.org/socket", ("example.org", 443)),
        ("http://evil.example#@good.example", ("evil.example", 80)),
        ("http://evil.example?@good.example", ("evil.example", 80)),
        ("about:blank", None),
        ("data:text/html,x", None),
    ],
)
def test_the_host_of_an_address_is_the_one_that_a_browser_would_ask(address, place):
    assert host_and_port(address) == place


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("93.184.216.34", "public"),
        ("2606:2800:220:1::1", "public"),
        ("127.0.0.1", "private"),
        ("127.9.9.9", "private"),
        ("10.1.2.3", "private"),
        ("172.16.0.1", "private"),
        ("172.32.0.1", "public"),
        ("192.168.1.1", "private"),
        ("100.64.0.1", "private"),
        ("0.0.0.0", "private"),
        ("224.0.0.1", "private"),
        ("255.255.255.255", "private"),
        ("::1", "private"),
        ("::", "private"),
        ("fc00::1", "private"),
        ("fe80::1", "private"),
        ("fec0::1", "private"),
        ("ff02::1", "private"),
        ("::ffff:10.0.0.1", "private"),
        ("64:ff9b::10.0.0.1", "private"),
        ("64:ff9b:1::1", "private"),
        ("2002:7f00:1::", "private"),
        ("::127.0.0.1", "private"),
        ("169.254.169.254", "metadata"),
        ("169.254.170.2", "metadata"),
        ("100.100.100.200", "metadata"),
        ("168.63.129.16", "metadata"),
        ("192.0.0.192", "metadata"),
        ("fd00:ec2::254", "metadata"),
        ("fd20:ce::254", "metadata"),
        ("::ffff:169.254.169.254", "metadata"),
        ("64:ff9b::169.254.169.254", "metadata"),
        ("2002:a9fe:a9fe::", "metadata"),
    ],
)
def test_addresses_are_seen_through(address, kind):
    assert kind_of(ipaddress.ip_address(address)) == kind


ONE = host_policy("example.org", "*.shop.example", "localhost:3000", "[::1]:8080")


@pytest.mark.parametrize(
    ("host", "port", "may"),
    [
        ("example.org", 443, True),
        ("example.org", 8443, True),
        ("www.example.org", 443, False),
        ("notexample.org", 443, False),
        ("example.org.evil.example", 443, False),
        ("shop.example", 443, True),
        ("a.b.shop.example", 443, True),
        ("workshop.example", 443, False),
        ("localhost", 3000, True),
        ("localhost", 3001, False),
        ("::1", 8080, True),
        ("127.0.0.1", 3000, False),
        ("169.254.169.254", 80, False),
    ],
)
def test_a_list_of_allowed_hosts_means_these_and_no_others(host, port, may):
    assert (ONE.denial_for_host(host, port) is None) is may


def test_an_empty_list_allows_nothing_and_no_list_allows_all():
    assert HostPolicy(allowed=()).limited
    assert HostPolicy(allowed=()).denial_for_host("example.org", 443)
    assert not UNLIMITED.limited
    assert UNLIMITED.denial_for_host("example.org", 443) is None
    assert UNLIMITED.denial_for_host("127.0.0.1", 80) is None


def test_denied_wins_over_allowed_and_holds_for_addresses_too():
    rules = host_policy("*.example.org", denied=["ads.example.org", "93.184.216.34"])
    assert rules.denial_for_host("www.example.org", 443) is None
    assert "denied" in rules.denial_for_host("ads.example.org", 443).reason
    address = ipaddress.ip_address("93.184.216.34")
    assert "denied" in rules.denial_for_address(address, host="www.example.org", port=443).reason


@pytest.mark.parametrize(
    "host", ["169.254.169.254", "metadata.google.internal", "fd00:ec2::254", "100.100.100.200", "metadata"]
)
def test_hosts_that_hand_out_credentials_are_denied_everywhere_unless_they_are_named(host):
    for rules in (UNLIMITED, host_policy("*"), host_policy(private=True)):
        assert "credentials" in rules.denial_for_host(host, 80).reason
    assert host_policy("*", host).denial_for_host(host, 80) is None


def leads(rules, host, address):
    return rules.denial_for_host(host, 443) or rules.denial_for_address(
        ipaddress.ip_address(address), host=host, port=443
    )


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.5", "::1", "::ffff:192.168.0.1"])
def test_a_public_name_that_leads_to_a_private_address_is_refused_as_soon_as_hosts_are_limited(address):
    assert leads(host_policy("shop.example"), "shop.example", address)
    assert leads(host_policy(denied=["x.example"]), "shop.example", address)
    assert leads(host_policy(private=False), "shop.example", address)
    assert leads(host_policy("shop.example"), "shop.example", "93.184.216.34") is None
    assert leads(host_policy("shop.example", private=True), "shop.example", address) is None
    assert leads(UNLIMITED, "shop.example", address) is None


def test_a_name_that_is_none_of_the_public_internet_may_lead_nearby():
    assert leads(host_policy("app.test"), "app.test", "127.0.0.1") is None
    assert leads(host_policy("intranet"), "intranet", "10.0.0.5") is None
    assert leads(host_policy("app.test", private=False), "app.test", "127.0.0.1")


def test_without_private_networks_only_what_is_named_itself_is_left_of_them():
    closed = host_policy(private=False)
    for host in ("localhost", "127.0.0.1", "192.168.1.1", "::1", "a.localhost"):
        assert closed.denial_for_host(host, 80)
    assert closed.denial_for_host("example.org", 443) is None
    named = host_policy("127.0.0.1:3000", "localhost", "example.org", private=False)
    assert named.denial_for_host("127.0.0.1", 3000) is None
    assert named.denial_for_host("127.0.0.1", 3001)
    assert named.denial_for_host("localhost", 80) is None
    assert host_policy("*", private=False).denial_for_host("localhost", 80)


def test_hosts_nearby_that_no_rule_is_about_are_left_to_the_browser():
    assert host_policy(denied=["ads.example"]).nearby_is_direct
    public = host_policy(denied=["93.184.216.34"])
    assert public.nearby_is_direct
    assert public.denial_for_host("127.0.0.1", 80) is None
    assert public.denial_for_host("93.184.216.34", 80)
    for denied in ("localhost:9200", "127.0.0.1", "10.0.0.5"):
        rules = host_policy(denied=[denied])
        assert not rules.nearby_is_direct
        assert leads(rules, "192.168.1.1", "192.168.1.1"), "so they are not reached through the proxy unasked"
        assert leads(host_policy(denied=[denied], private=True), "192.168.1.1", "192.168.1.1") is None
    assert not host_policy(denied=["*"]).nearby_is_direct
    names = host_policy(denied=["x.internal", "a.test", "ads.example"])
    assert names.nearby_is_direct
    assert names.direct_endings == ("", "localhost", "local", "lan", "intranet", "home.arpa")
    assert "" not in host_policy(denied=["printer"]).direct_endings
    assert not host_policy("example.org").nearby_is_direct
    assert not host_policy(denied=["ads.example"], private=False).nearby_is_direct
    for odd in ("0.0.0.0", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "224.0.0.1"):
        assert host_policy(denied=["ads.example"]).denial_for_host(odd, 80)


def test_allowed_hosts_of_this_machine_are_connected_to_directly_and_others_are_not():
    rules = host_policy(
        "example.org",
        "localhost:3000",
        "*.localhost",
        "10.0.0.5",
        "[::1]:80",
        "app.test",
        "93.184.216.34",
        "0.0.0.0",
        "*",
    )
    assert [str(pattern) for pattern in rules.direct] == [
        "localhost:3000",
        "*.localhost",
        "10.0.0.5",
        "[::1]:80",
    ]
    assert [str(item) for item in host_policy("localhost", "10.0.0.5", denied=["localhost:9200"]).direct] == [
        "10.0.0.5"
    ]
    assert host_policy("169.254.169.254").direct == ()


def test_a_star_alone_means_nobody_nearby():
    assert host_policy("*").denial_for_host("example.org", 443) is None
    for host in ("localhost", "127.0.0.1", "10.0.0.5", "::1"):
        assert host_policy("*").denial_for_host(host, 80)
        assert host_policy("*", f"[{host}]" if ":" in host else host).denial_for_host(host, 80) is None
        assert host_policy("*", private=True).denial_for_host(host, 80) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "https://example.org",
        "example.org/x",
        "a b",
        "*.*.org",
        "ex*mple.org",
        "*.10.0.0.1",
        "a:99999",
        "user@example.org",
    ],
)
def test_what_is_no_host_is_no_rule(text):
    with pytest.raises(BadSetting, match="invalid host"):
        host_pattern(text)


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        ("example.org", "example.org", ["example.org"]),
        ("*.example.org", "www.example.org", ["www.example.org"]),
        ("www.example.org", "*.example.org", ["www.example.org"]),
        ("*.example.org", "*.www.example.org", ["*.www.example.org"]),
        ("*", "example.org:80", ["example.org:80"]),
        ("example.org:80", "*.example.org", ["example.org:80"]),
        ("example.org:80", "example.org:81", []),
        ("example.org", "example.net", []),
        ("*.example.org", "*.example.net", []),
        ("example.org", "notexample.org", []),
    ],
)
def test_two_lists_have_in_common_what_both_allow(first, second, both):
    for item, other in ((first, second), (second, first)):
        assert [
            str(pattern) for pattern in common_patterns([host_pattern(item)], [host_pattern(other)])
        ] == both


def test_an_address_that_may_not_be_opened_says_why_and_what_is_allowed():
    with pytest.raises(
        PolicyBlocked, match=r"evil\.example is not allowed: it is not one of the allowed hosts"
    ) as caught:
        host_policy("example.org").check("https://example.org@evil.example/")
    assert "allowed: example.org" in caught.value.hint
    assert caught.value.exit_status == 3
    assert caught.value.category == "policy-blocked"
    host_policy("example.org").check("about:blank")
    host_policy("example.org").check("https://evil.example@example.org/")


LABELS = st.lists(st.sampled_from(["a", "b", "example", "org"]), min_size=1, max_size=4).map(".".join)
PATTERNS = st.builds(
    HostPattern, LABELS | st.just(""), below=st.booleans(), port=st.sampled_from([None, 80, 443])
).filter(lambda one: one.host or one.below)


@given(PATTERNS, PATTERNS, LABELS, st.sampled_from([80, 443]))
def test_a_host_is_meant_by_what_is_common_exactly_when_it_is_meant_by_both(one, other, host, port):
    both = one.common(other)
    assert (both is not None and both.matches(host, port)) == (
        one.matches(host, port) and other.matches(host, port)
    )


@given(PATTERNS)
def test_a_pattern_reads_back_as_it_is_written(pattern):
    assert host_pattern(str(pattern)) == pattern


@pytest.mark.parametrize(
    ("written", "suffixes"),
    [
        ("nameserver 127.0.0.1\nsearch corp.example Lab.Example.\n", ("corp.example", "lab.example")),
        ("search first.example\ndomain last.example\n", ("last.example",)),
        ("# search x.example\n", ("here.example",)),
    ],
)
def test_suffixes_of_short_names_are_those_of_the_resolver(tmp_path, monkeypatch, written, suffixes):
    monkeypatch.delenv("LOCALDOMAIN", raising=False)
    monkeypatch.setattr("socket.gethostname", lambda: "machine.here.example")
    monkeypatch.setattr(search_domains, "RESOLVER_FILE", tmp_path / "resolv.conf")
    (tmp_path / "resolv.conf").write_text(written)
    assert search_domains.search_domains() == suffixes
    monkeypatch.setenv("LOCALDOMAIN", "own.example")
    assert search_domains.search_domains() == ("own.example",)


def test_a_short_name_that_the_resolver_completes_to_a_denied_host_is_denied():
    rules = HostPolicy(
        denied=host_patterns(["db.corp.example", "*.lab.example"]), search=("corp.example", "lab.example")
    )
    for host in ("db", "anything", "db.corp.example"):
        assert rules.denial_for_host(host, 80)
    assert "" not in rules.direct_endings, "so short names go through the proxy"
    others = HostPolicy(denied=host_patterns(["db.corp.example"]), search=("home.example", "corp.example"))
    assert others == HostPolicy(denied=host_patterns(["db.corp.example"])), (
        "the same policy in another network"
    )
    assert others.denial_for_host("printer", 80) is None
    assert others.denial_for_host("www.example", 80) is None
    assert "" in HostPolicy(denied=host_patterns(["ads.example"]), search=("corp.example",)).direct_endings
