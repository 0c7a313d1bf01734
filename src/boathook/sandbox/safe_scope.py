"""The scope of scripts in the engine `safe`, written in the Python that its interpreter supports."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from boathook.sandbox.script_channel import Message

ASK, SLEEP, SHOW, NOTE = "_ask", "_sleep", "display", "log"
CALLED = (ASK, SLEEP, SHOW, NOTE)
"""Functions that run outside the interpreter."""

_BEGINNING = """
class {kind}:
    def __init__(self, name, element):
        self.name = name
        self.page = self
        self.signal = Signal()
        self._element = element
"""
_HELPER = """
    def {name}(self, *given, **named):
        return _ask({name!r}, _plain(given), named, self._element)
"""
_ELEMENT_HELPER = """
    async def {name}(self, *given, **named):
        ref = await _ask({name!r}, _plain(given), named, self._element)
        return self.ref(ref) if ref else None
"""
_RESPONSE_HELPER = """
    def {name}(self, *given, **named):
        if given and type(given[0]).__name__ == 'function':
            return _match({name!r}, given[0], named)
        return _ask({name!r}, _plain(given), named, self._element)
"""
_FIRST = """
class Signal:
    def __init__(self):
        self.aborted = False

def _plain(given):
    return [one._element if type(one).__name__ == 'Tab' else one for one in given]

async def _match(name, fits, named):
    response = await _ask(name, ['re:'], named, '')
    skip = []
    while not await _result(fits(response)):
        skip.append(str(response['number']))
        response = await _ask(name, ['re:'], {{**named, 'skip': skip, 'since': response['mark']}}, '')
    return response

async def _result(found):
    if type(found).__name__ in ('coroutine', 'Future', 'Task', 'function'):
        found = await found
    return found
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

async def wait(what, timeout=None, interval=0.1, every=None):
    if isinstance(what, (int, float)):
        await _sleep(what)
        return None
    pause = interval if every is None else every
    left = timeout
    while True:
        found = await _result(what())
        if found:
            return found
        if left is not None and left <= 0:
            raise TimeoutError('wait: the function returned nothing truthy within ' + str(timeout) + ' s')
        await _sleep(pause)
        left = None if left is None else left - pause

tab = page = Tab({tab!r}, '')
browser = Browser('browser', '')
"""


def scope(order: Message) -> str:
    """The code that creates the scope."""
    parts = [_FIRST.format(), _BEGINNING.format(kind="Tab")]
    parts += [_helper(name, order).format(name=name) for name in order["tab_helpers"]]
    parts += [_ELEMENTS, _BEGINNING.format(kind="Browser")]
    parts += [_HELPER.format(name=name) for name in order["browser_helpers"]]
    return "".join([*parts, _REST.format(tab=str(order["tab"]))])


def _helper(name: str, order: Message) -> str:
    if name in order.get("element_helpers", ()):
        return _ELEMENT_HELPER
    return _RESPONSE_HELPER if name in order.get("response_helpers", ()) else _HELPER
