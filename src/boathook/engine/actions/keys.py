"""Keys: from `Control+Shift+A` to the events of a keyboard."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any

from boathook.errors import BadRequest
from boathook.similar_words import did_you_mean

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
_SPELLINGS = {
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "option": "Alt",
    "esc": "Escape",
    "return": "Enter",
    "del": "Delete",
    "ins": "Insert",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "spacebar": "Space",
    "plus": "+",
    "controlormeta": "Meta" if sys.platform == "darwin" else "Control",
    "mod": "Meta" if sys.platform == "darwin" else "Control",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyboardKey:
    """One key: the value that pages see, its position on the keyboard, its key code, and the text that it types."""

    key: str
    code: str
    number: int
    text: str = ""
    location: int = 0


def _build_named_keys() -> dict[str, KeyboardKey]:
    rows: list[tuple[str, int, str]] = [
        ("Backspace", 8, ""),
        ("Tab", 9, ""),
        ("Enter", 13, "\r"),
        ("Pause", 19, ""),
        ("CapsLock", 20, ""),
        ("Escape", 27, ""),
        ("PageUp", 33, ""),
        ("PageDown", 34, ""),
        ("End", 35, ""),
        ("Home", 36, ""),
        ("ArrowLeft", 37, ""),
        ("ArrowUp", 38, ""),
        ("ArrowRight", 39, ""),
        ("ArrowDown", 40, ""),
        ("PrintScreen", 44, ""),
        ("Insert", 45, ""),
        ("Delete", 46, ""),
        ("ContextMenu", 93, ""),
        ("NumLock", 144, ""),
        ("ScrollLock", 145, ""),
    ]
    keys = {name: KeyboardKey(key=name, code=name, number=number, text=text) for name, number, text in rows}
    keys |= {f"F{n}": KeyboardKey(key=f"F{n}", code=f"F{n}", number=111 + n) for n in range(1, 25)}
    keys["Space"] = KeyboardKey(key=" ", code="Space", number=32, text=" ")
    for name, number in (("Shift", 16), ("Control", 17), ("Alt", 18), ("Meta", 91)):
        keys[name] = KeyboardKey(key=name, code=f"{name}Left", number=number, location=1)
    return keys


NAMED = _build_named_keys()
_PLAIN = {
    "-": ("Minus", 189), "=": ("Equal", 187), "[": ("BracketLeft", 219), "]": ("BracketRight", 221),
    "\\": ("Backslash", 220), ";": ("Semicolon", 186), "'": ("Quote", 222), ",": ("Comma", 188),
    ".": ("Period", 190), "/": ("Slash", 191), "`": ("Backquote", 192),
}  # fmt: skip
_SHIFTED = dict(zip('_+{}|:"<>?~!@#$%^&*()', "-=[]\\;',./`1234567890", strict=True))


def find_key(name: str) -> KeyboardKey:
    """A key by its name, or the key that types a character."""
    if len(name) == 1:
        return _character(name)
    proper = _SPELLINGS.get(name.lower(), name)
    if len(proper) == 1:
        return _character(proper)
    found = NAMED.get(proper) or next(
        (key for known, key in NAMED.items() if known.lower() == proper.lower()), None
    )
    if found is None:
        raise BadRequest(f"unknown key: {name!r}", hint=_near_keys(name, proper))
    return found


def _near_keys(name: str, proper: str) -> str:
    chord = re.split(r"[-_ ]", name)
    if len(chord) > 1 and is_chord("+".join(chord)):
        return f"did you mean {'+'.join(chord)}?"
    return did_you_mean(proper, NAMED, otherwise="use names such as Enter, Tab, ArrowDown, a or Control+A")


def _character(char: str) -> KeyboardKey:
    base = _SHIFTED.get(char, char)
    if base.isascii() and base.isalpha():
        return KeyboardKey(key=char, code=f"Key{base.upper()}", number=ord(base.upper()), text=char)
    if base.isascii() and base.isdigit():
        return KeyboardKey(key=char, code=f"Digit{base}", number=ord(base), text=char)
    if char == " ":
        return NAMED["Space"]
    code, number = _PLAIN.get(base, ("", 0))
    return KeyboardKey(key=char, code=code, number=number, text=char)


def parse_chord(text: str) -> tuple[list[str], KeyboardKey]:
    """`Control+Shift+A` as its modifiers and its last key; a single `+` is the plus key."""
    if not isinstance(text, str):
        raise BadRequest(f"a key must be a string such as Enter, not {type(text).__name__}")
    words = text.split("+") if len(text) > 1 else [text]
    if len(words) > 1 and words[-1] == "":
        words = [*words[:-2], "+"]
    *held, last = words
    modifiers = []
    for word in held:
        proper = _SPELLINGS.get(word.strip().lower(), word.strip().capitalize())
        if proper not in MODIFIERS:
            raise BadRequest(f"unknown modifier {word!r} in {text!r}", hint=f"use {', '.join(MODIFIERS)}")
        modifiers.append(proper)
    return modifiers, find_key(last.strip() or last)


def is_chord(text: str) -> bool:
    """Whether some text names a key or a chord."""
    try:
        parse_chord(text)
    except BadRequest:
        return False
    return True


def key_events(modifiers: list[str], key: KeyboardKey) -> list[dict[str, Any]]:
    """All events of a chord: modifiers down, key down and up, modifiers up."""
    events: list[dict[str, Any]] = []
    held = 0
    for name in modifiers:
        held |= MODIFIERS[name]
        events.append(_event("rawKeyDown", NAMED[name], held))
    shifted = held & MODIFIERS["Shift"] and len(key.key) == 1 and key.key.isalpha()
    pressed = (
        KeyboardKey(key=key.key.upper(), code=key.code, number=key.number, text=key.text.upper())
        if shifted
        else key
    )
    writes = bool(pressed.text) and not held & ~MODIFIERS["Shift"]
    down = _event("keyDown" if writes else "rawKeyDown", pressed, held)
    if writes:
        down |= {"text": pressed.text, "unmodifiedText": pressed.text}
    elif commands := _editing_command(held, pressed):
        down["commands"] = commands
    events += [down, _event("keyUp", pressed, held)]
    for name in reversed(modifiers):
        held &= ~MODIFIERS[name]
        events.append(_event("keyUp", NAMED[name], held))
    return events


def _editing_command(held: int, key: KeyboardKey) -> list[str]:
    """Headless Chromium has no menu that turns these chords into editing commands."""
    main = MODIFIERS["Meta"] if sys.platform == "darwin" else MODIFIERS["Control"]
    if held != main:
        return []
    return {
        "a": ["selectAll"],
        "c": ["copy"],
        "x": ["cut"],
        "v": ["paste"],
        "z": ["undo"],
        "y": ["redo"],
    }.get(key.key.lower(), [])


def _event(kind: str, key: KeyboardKey, held: int) -> dict[str, Any]:
    return {
        "type": kind,
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.number,
        "nativeVirtualKeyCode": key.number,
        "modifiers": held,
        "location": key.location,
    }
