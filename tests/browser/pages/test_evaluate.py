"""Evaluate: values out, sizes bounded inside the page, typed errors, both worlds, elements."""

import math

import pytest

from boathook.errors import (
    BadRequest,
    BadTarget,
    EvaluationFailed,
    ResultTooLarge,
    StaleRef,
    TargetNotFound,
    TimedOut,
)
from tests.support.engine import engine_of


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("1 + 1", 2),
        ("'text'", "text"),
        ("null", None),
        ("undefined", None),
        ("[1, {a: true}]", [1, {"a": True}]),
        ("() => 7", 7),
        ("async () => 7", 7),
        ("Promise.resolve('later')", "later"),
        ("1 // a comment at the end", 1),
        ("10n", 10),
        ("Infinity", math.inf),
    ],
)
async def test_values_come_out_as_python_values(tab, script, value):
    assert await tab.evaluate(script) == value


async def test_a_function_gets_the_arguments(tab):
    assert await tab.evaluate("(a, b) => [a.x, b]", {"x": [1]}, "two") == [[1], "two"]


async def test_an_element_comes_first(tab, site):
    await tab.goto(site.page("<button id=b data-x=7>Go</button>"))
    view = await tab.snapshot()
    ref = view.lines[0].split("@")[1].split()[0]
    assert await tab.evaluate("(element, more) => [element.dataset.x, more]", 1, target=f"@{ref}") == ["7", 1]
    assert await tab.evaluate("element.id", target="#b") == "b"
    assert await tab.evaluate("element.id", target="#b", world="isolated") == "b"


async def test_an_element_in_the_main_world_is_the_pages_own(tab, site):
    await tab.goto(site.page("<button id=b>Go</button><script>b.secret = 42</script>"))
    assert await tab.evaluate("element.secret", target="#b") == 42
    assert await tab.evaluate("element.secret", target="#b", world="isolated") is None


async def test_a_page_error_is_typed_and_quoted(tab):
    with pytest.raises(EvaluationFailed, match="ReferenceError: nonesuch is not defined"):
        await tab.evaluate("nonesuch.x")
    with pytest.raises(EvaluationFailed, match="SyntaxError"):
        await tab.evaluate("const a = ; a")
    with pytest.raises(EvaluationFailed, match="plain words"):
        await tab.evaluate("(() => { throw 'plain words' })()")


@pytest.mark.parametrize("script", ["'x'.repeat(3e6)", "Array(1e6).fill(1)", "({a: {b: 'x'.repeat(2e6)}})"])
async def test_a_large_result_is_stopped_inside_the_page(tab, script):
    received = 0

    def count(direction, _session, message):
        nonlocal received
        received += len(message) if direction == "received" else 0

    connection = engine_of(tab).session.connection
    before, connection.on_traffic = connection.on_traffic, count
    try:
        with pytest.raises(ResultTooLarge):
            await tab.evaluate(script)
    finally:
        connection.on_traffic = before
    assert received < 100_000
    assert len(await tab.evaluate("'x'.repeat(3e6)", limit=4_000_000)) == 3_000_000


@pytest.mark.parametrize(
    "script", ["(() => { const a = {}; a.a = a; return a })()", "window", "document.body"]
)
async def test_what_is_no_plain_data_is_refused(tab, site, script):
    await tab.goto(site.page("<p>x</p>"))
    with pytest.raises((EvaluationFailed, ResultTooLarge)):
        await tab.evaluate(script)


async def test_a_page_with_broken_builtins_still_evaluates(tab, site):
    await tab.goto(
        site.page(
            "<script>JSON.stringify = () => 'x'; Array.prototype.map = null; Object.keys = null;"
            "Symbol.iterator; Array.prototype[Symbol.iterator] = null; Promise.prototype.then = null</script>"
        )
    )
    assert await tab.evaluate("({a: [1, 2]})") == {"a": [1, 2]}


async def test_bad_input_is_refused(tab, site):
    await tab.goto(site.page("<p>x</p><p>y</p>"))
    with pytest.raises(BadRequest):
        await tab.evaluate("x => x", object())
    with pytest.raises(BadRequest):
        await tab.evaluate("1", world="moon")
    with pytest.raises(BadTarget):
        await tab.evaluate("1", target="p:::q")
    with pytest.raises(TargetNotFound):
        await tab.evaluate("1", target="table")
    with pytest.raises(StaleRef):
        await tab.evaluate("1", target="@e999999")
    with pytest.raises(BadRequest, match="1 MiB"):
        await tab.evaluate("1" * (1024 * 1024 + 1))


async def test_a_hundred_megabyte_message_comes_through(tab):
    assert len(await tab.evaluate("'x'.repeat(1e8)", limit=200_000_000, timeout=60)) == 100_000_000


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("const a = 1; a + 1", 2),
        ("const a = 2; a + 1", 3),
        ("let seen = []; for (const one of [1, 2]) seen.push(one); seen", [1, 2]),
        ("const answer = await Promise.resolve({ a: [1, { b: 2 }] }); answer", {"a": [1, {"b": 2}]}),
        ("if (true) { 'yes' } else { 'no' }", "yes"),
        ("var x = 5;", None),
        ("const f = () => 1; f", 1),
        ("document.title = 'New'; document.title", "New"),
        ("1 + 1; // two", 2),
    ],
)
async def test_statements_give_the_value_of_the_last_one(tab, site, script, value):
    await tab.goto(site.page("<p>x</p>"))
    assert await tab.evaluate(script) == value


async def test_statements_that_fail_or_give_too_much_say_so(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    with pytest.raises(EvaluationFailed, match="Error: on purpose"):
        await tab.evaluate("const a = 1; throw new Error('on purpose')")
    with pytest.raises(EvaluationFailed, match="SyntaxError"):
        await tab.evaluate("const a = ;")
    with pytest.raises(ResultTooLarge):
        await tab.evaluate("const long = 'x'.repeat(2e6); long")
    with pytest.raises(ResultTooLarge):
        await tab.evaluate("const many = ['x'.repeat(2e6)]; many")
    with pytest.raises(EvaluationFailed, match="SyntaxError"):
        await tab.evaluate("JSON.parse('{')")
    with pytest.raises(TimedOut):
        await tab.evaluate("while (true) {}", timeout=1)
