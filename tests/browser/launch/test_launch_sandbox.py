"""The sandbox of a launched browser, read from the kernel: what is said must be what holds."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from boathook.engine.launch import posix
from boathook.engine.launch.arguments import launch_arguments
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.options import LaunchOptions
from boathook.engine.launch.process import spawn
from boathook.errors import SandboxUnavailable
from tests.browser.launch.launch_pipe import Pipe, launched, process_tree
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
NOBODY = 65534


def renderer_facts(root: int) -> list[dict[str, str]]:
    """Seccomp and user of each renderer below a browser."""
    facts = []
    for pid, _ in process_tree(root):
        with suppress(FileNotFoundError, ProcessLookupError):  # one that has ended meanwhile
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                facts.append(dict(line.split(":\t", 1) for line in lines if ":\t" in line))
    return facts


async def closed_in(root: int) -> None:
    """One that is kept in reserve shows up a moment before it has closed itself in."""

    def all_of_them() -> bool:
        facts = renderer_facts(root)
        return bool(facts) and {(fact["Seccomp"], fact["NoNewPrivs"]) for fact in facts} == {("2", "1")}

    await until(all_of_them, named="every renderer is in its sandbox")


async def test_notes_and_kernel_agree_about_the_sandbox() -> None:
    async with launched() as pipe:
        await pipe.open_page()
        plan = pipe.process.plan
        if plan.sandboxed:
            await closed_in(pipe.process.pid)
        else:
            renderers = renderer_facts(pipe.process.pid)
            assert renderers
            assert "2" not in {facts["Seccomp"] for facts in renderers}
        assert ("--no-sandbox" in plan.argv) is (not plan.sandboxed)
        assert any("sandbox off" in note for note in plan.notes) is (not plan.sandboxed)


async def test_ordinary_user_gets_a_sandbox() -> None:
    if not posix.is_root():
        pytest.skip("the test above has shown it for this ordinary user")
    if shutil.which("setpriv") is None:
        pytest.skip("needs setpriv to become an ordinary user")
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, NOBODY, NOBODY)
        environ = {"PATH": os.environ["PATH"], "HOME": folder}
        plan = launch_arguments(
            LaunchOptions(), browser=find_browser(), profile=Path(folder) / "p", environ=environ
        )
        as_nobody = (str(shutil.which("setpriv")), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        switches = tuple(switch for switch in plan.argv if switch != "--no-sandbox")
        async with spawn(replace(plan, argv=(*as_nobody, *switches))) as process:
            await Pipe(process).open_page()
            await closed_in(process.pid)


async def test_required_sandbox_is_an_error_where_there_is_none() -> None:
    browser = find_browser()
    if posix.is_root():
        with pytest.raises(SandboxUnavailable, match="root"):
            launch_arguments(LaunchOptions(sandbox="require"), browser=browser, profile=Path("unused"))
        return
    plan = launch_arguments(LaunchOptions(sandbox="require"), browser=browser, profile=Path("unused"))
    assert plan.sandboxed
