"""Refs, deadlines, URLs and the error tree."""

import asyncio
import re

import pytest

from boathook import errors
from boathook.clock import Deadline
from boathook.engine.hosts.urls import normalize_url
from boathook.errors import BadSetting, BadUrl, BoathookError, TimedOut
from boathook.values import Ref


@pytest.mark.parametrize(("text", "number"), [("@e12", 12), ("e12", 12), ("12", 12), (" @e7 ", 7)])
def test_refs_are_read_in_every_spelling(text, number):
    assert Ref.parse(text) == Ref(number)
    assert str(Ref(number)) == f"@e{number}"


@pytest.mark.parametrize(
    "text", ["", "e", "@e0", "-1", "e1x", "button", "@e1 @e2", "e99999999999", "1.5", "٣"]
)
def test_other_words_are_no_refs(text):
    assert Ref.parse(text) is None


async def test_a_deadline_names_the_innermost_stage_and_what_was_seen():
    deadline = Deadline.after(0.02)
    with pytest.raises(TimedOut) as caught:
        async with deadline.stage("opening", seen=lambda: "the page"), deadline.stage("loading"):
            await asyncio.Event().wait()
    assert (caught.value.stage, caught.value.seen) == ("loading", "the page")
    assert "0.02 s" in str(caught.value)


async def test_a_shorter_deadline_ends_first_and_a_foreign_timeout_passes_through():
    deadline = Deadline.after(5)
    with pytest.raises(TimedOut, match="quick"):
        async with deadline.stage("slow"), deadline.shorten(0.01).stage("quick"):
            await asyncio.Event().wait()
    with pytest.raises(TimeoutError):
        async with deadline.stage("slow"):
            raise TimeoutError


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
async def test_a_deadline_out_of_range_is_refused(seconds):
    with pytest.raises(BadSetting):
        Deadline.after(seconds)


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ("example.org", "https://example.org"),
        ("example.org:8443/x", "https://example.org:8443/x"),
        ("localhost:3000", "http://localhost:3000"),
        ("127.0.0.1/x?y#z", "http://127.0.0.1/x?y#z"),
        (" https://example.org/ü ", "https://example.org/ü"),
        ("about:blank", "about:blank"),
        ("data:text/html,<p>x", "data:text/html,<p>x"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        ("example.org/?next=http://other", "https://example.org/?next=http://other"),
    ],
)
def test_addresses_are_completed_as_a_person_means_them(given, whole):
    assert normalize_url(given) == whole


def test_a_scheme_is_allowed_by_name():
    with pytest.raises(BadUrl, match="not allowed"):
        normalize_url("file:///x")
    assert normalize_url("file:///x", schemes={"file"}) == "file:///x"


def subclasses(kind):
    for child in kind.__subclasses__():
        if child.__module__ == "boathook.errors":
            yield child
            yield from subclasses(child)


def test_every_error_is_drawn_in_the_tree_and_has_a_code_of_its_own():
    kinds = list(subclasses(BoathookError))
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__))
    assert drawn == {kind.__name__ for kind in kinds}
    codes = [kind.code for kind in kinds]
    assert len(codes) == len(set(codes))


def test_every_error_that_a_caller_can_act_on_says_what_to_do():
    silent = {"bad_setting", "unsupported", "protocol_error"}  # their hints come with each case
    groups = {"bad_request", "target_error", "page_error", "browser_error"}
    assert [
        kind.code
        for kind in subclasses(BoathookError)
        if not kind.default_hint and kind.code not in silent | groups
    ] == []
