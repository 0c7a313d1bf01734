"""Targets in every spelling, and keys."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathook.engine.actions.keys import find_key, key_events, parse_chord
from boathook.engine.elements.selector import parse_target
from boathook.errors import BadRequest, BadTarget


@pytest.mark.parametrize(
    ("text", "kind", "value", "name", "exact"),
    [
        ("@e12", "ref", "@e12", None, False),
        ("aria-ref=e5", "ref", "aria-ref=e5", None, False),
        ("10,20.5", "point", "10,20.5", None, False),
        ("button.primary > span", "css", "button.primary > span", None, False),
        ("css=div", "css", "div", None, False),
        ("pierce/div", "css", "div", None, False),
        ("p-pierce/div", "css", "div", None, False),
        ("xpath///div[1]", "xpath", "//div[1]", None, False),
        ("p-xpath/.//div", "xpath", ".//div", None, False),
        ("text=Save all", "text", "Save all", None, False),
        ('text="Save"', "text", "Save", None, True),
        ("text/Save", "text", "Save", None, False),
        ("text:Save", "text", "Save", None, False),
        ("p-text/Save", "text", "Save", None, False),
        ("role=button", "role", "button", None, False),
        ("role=button[name='Save as']", "role", "button", "Save as", False),
        ('role/button[name="Save" exact]', "role", "button", "Save", True),
        ('aria/Save[role="button"]', "role", "button", "Save", True),
        ("aria/Save", "role", "", "Save", True),
        ('p-aria/[name="Save as"]', "role", "", "Save as", True),
        ('aria/[name="Save"][role="button"]', "role", "button", "Save", True),
        ("p-aria/[role='button']", "role", "button", None, False),
        ("::-p-text(Save all)", "text", "Save all", None, False),
        ("::-p-xpath(//div[1])", "xpath", "//div[1]", None, False),
        ('::-p-aria([name="Save"][role="button"])', "role", "button", "Save", True),
        ("::-p-aria(Save)", "role", "", "Save", True),
        ("label=First name", "label", "First name", None, False),
        ("label:First name", "label", "First name", None, False),
        ("label:hover", "css", "label:hover", None, False),
        ("a:not(.x)", "css", "a:not(.x)", None, False),
        ("a::before", "css", "a::before", None, False),
        ("testid=go", "testid", "go", None, True),
        ("//div[1]", "xpath", "//div[1]", None, False),
        ("xpath=//div", "xpath", "//div", None, False),
        ("[data-x='a=b']", "css", "[data-x='a=b']", None, False),
    ],
)
def test_targets_are_read_in_every_spelling(text, kind, value, name, exact):
    target = parse_target(text)
    assert (target.kind, target.value, target.name, target.exact) == (kind, value, name, exact)


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "text=", "role=[]", "p-foo/x", "foo/x", "a:has-text('x')", "div:visible", "x" * 10_001),
        *("div ::-p-text(x)", "::-p-foo(x)"),
    ],
)
def test_bad_targets_say_what_is_supported(text):
    with pytest.raises(BadTarget):
        parse_target(text)


@given(st.text(max_size=60))
def test_any_text_is_a_target_or_a_typed_error(text):
    with contextlib.suppress(BadTarget):
        assert parse_target(text).kind


@pytest.mark.parametrize(
    ("chord", "modifiers", "key"),
    [
        ("Enter", [], "Enter"),
        ("ctrl+a", ["Control"], "a"),
        ("Control+Shift+K", ["Control", "Shift"], "K"),
        ("+", [], "+"),
        ("Control++", ["Control"], "+"),
        ("esc", [], "Escape"),
        ("ArrowDown", [], "ArrowDown"),
        ("é", [], "é"),
    ],
)
def test_chords_are_read(chord, modifiers, key):
    held, pressed = parse_chord(chord)
    assert (held, pressed.key) == (modifiers, key)


def test_enter_carries_code_number_and_text():
    [down, up] = key_events([], find_key("Enter"))
    assert (down["type"], down["code"], down["windowsVirtualKeyCode"], down["text"]) == (
        "keyDown",
        "Enter",
        13,
        "\r",
    )
    assert up["type"] == "keyUp"


def test_modifiers_go_down_first_and_up_last():
    kinds = [(event["type"], event["key"]) for event in key_events(["Control"], find_key("a"))]
    assert kinds == [("rawKeyDown", "Control"), ("rawKeyDown", "a"), ("keyUp", "a"), ("keyUp", "Control")]


@pytest.mark.parametrize("chord", ["Entr", "Foo+A", "Control+Nope", "F99"])
def test_unknown_keys_are_refused_with_a_hint(chord):
    with pytest.raises(BadRequest) as caught:
        parse_chord(chord)
    assert caught.value.hint
