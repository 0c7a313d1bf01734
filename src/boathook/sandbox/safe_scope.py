"""The scope of scripts in the engine `safe`, written in the Python that its interpreter supports."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ASK, SLEEP, SHOW, NOTE = "_ask", "_sleep", "display", "log"
CALLED = (ASK, SLEEP, SHOW, NOTE)
"""Functions that run outside the interpreter."""

_BEGINNING = """
class {kind}:
    def __init__(self, name, element):
        self.name = name
        self.page = self
        self._element = element
"""
_HELPER = """
    def {name}(self, *given, **named):
        return _ask({name!r}, [*given], named, self._element)
"""
_ELEMENTS = """
    def ref(self, ref):
        ref = str(ref)
        return Tab(ref, ref if ref.startswith('@') else '@' + ref)

    def id(self, number):
        return self.ref('e' + str(number) if str(number).isdecimal() else number)
"""
_REST = """
def assert_(condition, message=''):
    if not condition:
        raise AssertionError(message or 'assert_ failed')

async def wait(what, every=0.1):
    if isinstance(what, (int, float)):
        await _sleep(what)
        return None
    while True:
        found = what()
        if type(found).__name__ in ('coroutine', 'Future', 'Task', 'function'):
            found = await found
        if found:
            return found
        await _sleep(every)

tab = page = Tab({tab!r}, '')
browser = Browser('browser', '')
"""


def scope(tab: str, tab_helpers: Iterable[str], browser_helpers: Iterable[str]) -> str:
    """The code that creates the scope."""
    parts = [_BEGINNING.format(kind="Tab"), *(_HELPER.format(name=name) for name in tab_helpers), _ELEMENTS]
    parts += [_BEGINNING.format(kind="Browser"), *(_HELPER.format(name=name) for name in browser_helpers)]
    return "".join([*parts, _REST.format(tab=tab)])
