"""Odd values, messages with some fields replaced by them, and how many are tried."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("BOATHOOK_FUZZ", "30"))
"""`make stress` asks for ten thousand of each kind."""
LONGEST = 20
"""Seconds after which something hangs, also on a machine that is very busy."""

ODD_TEXT = st.one_of(
    st.sampled_from(["", "\x00", "\x1b[31m", "\u202e", "../../etc/passwd", "@e1", "-1", "{}", "x" * 5_000]),
    st.text(max_size=20),
)
ODD = st.recursive(
    st.one_of(ODD_TEXT, st.integers(), st.floats(), st.booleans(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def tried(function, *, share=1):
    """Try the usual number of examples, or a share of it; the small sample is always the same."""
    settled = settings(
        max_examples=max(1, EXAMPLES // share),
        deadline=None,
        derandomize=EXAMPLES < 1_000,
        suppress_health_check=list(HealthCheck),
    )(function)
    # What is tested runs in a thread of its own, and may use random numbers while an example is drawn.
    return pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")(settled)


@st.composite
def changed(draw, messages):
    """One of the messages, with some fields removed, replaced or added, at any depth."""
    message = dict(draw(st.sampled_from(messages)))
    for _ in range(draw(st.integers(0, 3))):
        fields = message
        while inner := [key for key, value in fields.items() if isinstance(value, dict) and value]:
            if draw(st.booleans()):
                break
            key = draw(st.sampled_from(inner))
            fields[key] = fields = dict(fields[key])
        key = draw(st.sampled_from([*fields, "unknown"]))
        if draw(st.booleans()):
            fields[key] = draw(ODD)
        else:
            fields.pop(key, None)
    return message
