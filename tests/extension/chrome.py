"""The user's Chrome with our extension, and the user's hand in it: a debugging port that the product never uses."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from boathook.engine.launch.find_chrome import find_browser
from boathook.relay.server.access import EXTENSION_ID
from tests.support.chromium import port_of
from tests.support.waiting import until_asked

SWITCHES = (
    "--headless=new",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=DisableLoadExtensionCommandLineSwitch,PreloadTopChromeWebUI,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--host-resolver-rules=MAP *.test 127.0.0.1",  # names of others, which lead here
)


def write_preferences(profile):
    """Developer mode, as a user who loads an unpacked extension has turned it on: it could not be reloaded without it."""
    Path(profile, "DevToolsActivePort").unlink(missing_ok=True)  # of an earlier browser that was killed
    preferences = Path(profile, "Default", "Preferences")
    if not preferences.exists():
        preferences.parent.mkdir(parents=True)
        chosen = {
            "extensions": {"ui": {"developer_mode": True}},
            "download": {"default_directory": str(Path(profile, "Downloads"))},  # not the tester's own
        }
        preferences.write_text(json.dumps(chosen))


def without_first_run(extension):
    """The extension opens no page when it is installed, as in a browser whose user has seen it before."""
    pairing = Path(extension, "pairing.json")
    if extension and pairing.exists():
        pairing.write_text(json.dumps({**json.loads(pairing.read_text()), "welcome": False}))


class UserChrome:
    """A running browser; what its user does goes over its debugging port."""

    def __init__(self, process, port):
        self.process = process
        self.port = port

    @classmethod
    async def start(
        cls,
        *,
        extension,
        profile,
        url="about:blank",
        switches=SWITCHES,
        more=(),
        env=None,
        first_run=False,
    ):
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        words = [str(find_browser().path), *switches, *sandbox, *more]
        words += [f"--load-extension={extension}", f"--user-data-dir={profile}", url]
        write_preferences(profile)
        if not first_run:
            without_first_run(extension)
        process = subprocess.Popen(  # noqa: ASYNC220 - it takes no time
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=env,
        )
        try:
            return cls(process, await port_of(str(profile)))
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise

    def stop(self):
        with suppress(ProcessLookupError):  # the user has quit it
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    async def quit(self):
        """As a user does, so that everything is saved."""
        version = await self.ask("/json/version")
        with suppress(ConnectionClosed):
            await self.command(version["webSocketDebuggerUrl"], "Browser.close")
        await asyncio.to_thread(self.process.wait, 60)

    async def ask(self, path, *, method="GET"):
        text = await asyncio.to_thread(self._ask, path, method)
        return json.loads(text) if text[:1] in "[{" else text

    def _ask(self, path, method):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path)
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    async def targets(self, kind="page"):
        return [item for item in await self.ask("/json/list") if item["type"] == kind]

    async def open(self, url):
        return await self.ask(f"/json/new?{quote(url, safe=':/?=&#')}", method="PUT")

    async def close(self, target_id):
        return await self.ask(f"/json/close/{target_id}")

    async def activate(self, target_id):
        return await self.ask(f"/json/activate/{target_id}")

    async def command(self, socket_url, method, **params):
        async with connect(socket_url, max_size=None, proxy=None) as socket:
            await socket.send(json.dumps({"id": 1, "method": method, "params": params}))
            while True:
                message = json.loads(await socket.recv())
                if message.get("id") == 1:
                    return message.get("result", message)

    async def evaluate(self, target, expression):
        """Run a script in a target, as if its page had done so; what a promise gives."""
        reply = await self.command(
            target["webSocketDebuggerUrl"],
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in reply:
            raise AssertionError(reply["exceptionDetails"]["exception"].get("description", reply))
        return reply["result"].get("value")

    async def settled(self, target, condition="true"):
        """Wait until a document stands, and what else is to hold."""
        asked = (
            f"location.href !== 'about:blank' && document.readyState === 'complete' && await ({condition})"
        )

        async def stands():
            with suppress(AssertionError, KeyError):  # it is on its way elsewhere
                return await self.evaluate(target, f"(async () => Boolean({asked}))()")

        await until_asked(stands, named="the document stands")

    async def worker(self):
        """The extension's service worker, when it runs."""
        found = [target for target in await self.targets("service_worker") if EXTENSION_ID in target["url"]]
        return found[0] if found else None

    async def in_worker(self, expression):
        worker = await until_asked(self.worker, named="the worker runs")
        return await self.evaluate(worker, expression)

    async def kill_worker(self):
        worker = await self.worker()
        await self.close(worker["id"])

    async def change_settings(self, **patch):
        """As the options page does."""
        await self.in_worker(
            "chrome.storage.local.get('settings').then(({settings}) =>"
            f" chrome.storage.local.set({{settings: {{...settings, ...{json.dumps(patch)}}}}}))"
        )

    async def attached(self):
        """The URLs of tabs with a debugger of the extension, as Chrome reports them."""
        found = await self.in_worker(
            "chrome.storage.session.get('tabs').then(async ({tabs}) => (await chrome.debugger.getTargets())"
            ".filter(t => t.tabId && t.attached && tabs?.[t.tabId]?.attached).map(t => t.url))"
        )
        return sorted(found)


class RawClient:
    """A program that speaks CDP with the relay, word by word."""

    def __init__(self, socket):
        self.socket = socket
        self.events = []
        self._numbers = itertools.count(1)
        self._waiting = {}
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def connect(cls, url, **options):
        return cls(await connect(url, max_size=None, proxy=None, **options))

    async def _read(self):
        try:
            async for text in self.socket:
                message = json.loads(text)
                waiting = self._waiting.pop(message.get("id"), None)
                if waiting is None:
                    self.events.append(message)
                elif not waiting.done():  # who asked may have given up
                    waiting.set_result(message)
        except ConnectionClosed:
            pass
        finally:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(ConnectionError("the relay hung up"))

    def post(self, method, params=None, *, session=None):
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # the caller may have left
        message = {"id": number, "method": method, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        return asyncio.ensure_future(self._sent(message, answer))

    async def _sent(self, message, answer):
        await self.socket.send(json.dumps(message))
        return await answer

    async def whole(self, method, params=None, *, session=None, seconds=30):
        """The whole answer."""
        async with asyncio.timeout(seconds):
            return await self.post(method, params, session=session)

    async def send(self, method, params=None, *, session=None, seconds=30):
        """The result; an error is an error."""
        answer = await self.whole(method, params, session=session, seconds=seconds)
        if "error" in answer:
            raise AssertionError(answer["error"]["message"])
        return answer["result"]

    async def error(self, method, params=None, *, session=None, seconds=30):
        answer = await self.whole(method, params, session=session, seconds=seconds)
        assert "error" in answer, f"{method} was done: {answer}"
        return answer["error"]["message"]

    def seen(self, method, session=None):
        return [
            event["params"]
            for event in self.events
            if event.get("method") == method and (session is None or event.get("sessionId") == session)
        ]

    async def close(self):
        await self.socket.close()
        await asyncio.gather(self._reader, return_exceptions=True)
