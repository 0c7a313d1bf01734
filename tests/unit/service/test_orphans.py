"""What the doctor reports about orphaned daemons and locked profiles."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boathook.service.doctor.diagnostics import Examination, examine
from boathook.service.doctor.orphans import other_daemons


@pytest.fixture
def daemon_of():
    """A process that looks like a daemon of this user, for a folder."""
    running = []

    def start(folder):
        words = ["-m", "boathook.service.daemon", "--folder", str(folder), "--ready", "5"]
        process = subprocess.Popen(
            [sys.executable, "-c", "import sys; print(1, flush=True); sys.stdin.read()", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        running.append(process)
        process.stdout.readline()
        return process.pid

    yield start
    for process in running:
        process.communicate()


def lock(profile, holder):
    profile.mkdir()
    (profile / "SingletonLock").symlink_to(holder)


async def said_of(name, **more):
    found = {item.name: item for item in await examine(Examination(quick=True, **more))}
    return found.get(name)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="the system does not list its processes")
async def test_a_daemon_whose_folder_is_gone_is_told_of_and_one_that_has_its_own_is_not(tmp_path, daemon_of):
    gone, there = daemon_of(tmp_path / "gone"), daemon_of(tmp_path)
    seen = {daemon.pid: daemon for daemon in other_daemons()}
    assert (seen[gone].is_stray, seen[there].is_stray) == (True, False)
    finding = await said_of("daemons")
    assert not finding.ok
    assert f"process {gone} serves {tmp_path / 'gone'}, which no longer exists" in finding.said
    assert str(gone) in finding.cure.split()
    assert str(there) not in finding.cure.split()


async def test_a_profile_is_only_looked_at_when_there_is_one(tmp_path):
    assert await said_of("profile") is None
    assert await said_of("profile", profile=tmp_path / "not yet") is None
    assert (await said_of("profile", profile=tmp_path)).ok


@pytest.mark.parametrize(
    ("host", "cure"), [(os.uname().nodename, "close that browser"), ("elsewhere", "running there: rm ")]
)
async def test_a_profile_that_somebody_works_in_is_named_with_them(tmp_path, host, cure):
    lock(tmp_path / "profile", f"{host}-{os.getpid()}")
    finding = await said_of("profile", profile=tmp_path / "profile", fix=True)
    assert not finding.ok
    assert f"is in use by process {os.getpid()} on {host}" in finding.said
    assert cure in finding.cure
    assert (tmp_path / "profile/SingletonLock").is_symlink()


@pytest.fixture
def ended():
    """The id of a process that has exited."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


async def test_the_lock_of_a_dead_browser_is_removed_on_request(tmp_path, ended):
    lock(tmp_path / "profile", f"{os.uname().nodename}-{ended}")
    finding = await said_of("profile", profile=tmp_path / "profile")
    assert (finding.ok, finding.repaired) == (True, False)
    finding = await said_of("profile", profile=tmp_path / "profile", fix=True)
    assert (finding.ok, finding.repaired) == (True, True)
    assert not (tmp_path / "profile/SingletonLock").is_symlink()
