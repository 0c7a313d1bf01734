"""A session that is closed in part says so."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from boathook.errors import CleanupFailed, LaunchFailed
from boathook.service.host_api import CallHostApi


class _Sessions:
    def __init__(self, problem):
        self._problem = problem

    async def close(self, name, *, kill):
        del name, kill
        if self._problem is not None:
            raise self._problem


class _Api(CallHostApi):
    def _find_session(self, name):
        return SimpleNamespace(name=name)

    def _info(self, session):
        return SimpleNamespace(name=session.name)


def api(problem):
    runner = SimpleNamespace(sessions=_Sessions(problem))
    host: Any = SimpleNamespace(runner=runner)
    return _Api(host=host, call=cast("Any", None), progress=print)


async def test_an_app_that_does_not_exit_is_a_failed_cleanup():
    with pytest.raises(CleanupFailed) as raised:
        await api(LaunchFailed("the app (process 7) did not exit")).close_session("shop", kill=True)
    assert raised.value.category == "cleanup-failed"
    assert "session shop is closed, but the app (process 7) did not exit" in raised.value.message
    closed = await api(None).close_session("shop", kill=True)
    assert closed.name == "shop"
