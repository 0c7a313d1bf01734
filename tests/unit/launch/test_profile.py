"""Profile directories: private, removed with their owner, never another user's."""

# ruff: noqa: ASYNC240

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from boathook.engine.launch import posix
from boathook.engine.launch.profiles.profile_dir import (
    TemporaryProfile,
    claim_profile,
    default_profiles,
    holder_of,
    profile_base,
    runtime_directory,
    still_ending,
    sweep,
)
from boathook.errors import BadSetting, LaunchFailed, ProfileInUse

DEAD_PID = 2**22 - 1


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    folder.mkdir(mode=0o700)
    return folder


async def test_temporary_profile_is_private_and_closes_twice(base: Path) -> None:
    profile = TemporaryProfile.create(base=base)
    assert profile.path.stat().st_mode & 0o777 == 0o700
    (profile.path / "file").write_text("x")
    await profile.close()
    await profile.close()
    assert list(base.iterdir()) == []


async def test_sweep_leaves_live_profiles_and_foreign_things(base: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "data").write_text("x")
    (base / "profile-notours").mkdir()
    (base / "profile-0123456789abcdef.txt").write_text("x")
    (base / "profile-aaaaaaaaaaaaaaaa").symlink_to(precious)
    (base / "profile-bbbbbbbbbbbbbbbb.lock").symlink_to(precious / "data")
    (base / "profile-bbbbbbbbbbbbbbbb").mkdir()
    async with TemporaryProfile.create(base=base) as profile:
        assert sweep(base) == []
        assert profile.path.is_dir()
    assert (precious / "data").read_text() == "x"
    assert (base / "profile-notours").is_dir()
    assert (base / "profile-0123456789abcdef.txt").exists()
    assert (base / "profile-bbbbbbbbbbbbbbbb").is_dir()


async def test_profile_of_a_killed_owner_is_swept(base: Path) -> None:
    code = (
        "import sys, signal; from pathlib import Path; from boathook.engine.launch.profiles.profile_dir import TemporaryProfile;"
        "p = TemporaryProfile.create(base=Path(sys.argv[1])); (p.path / 'f').write_text('x');"
        "print(p.path, flush=True); signal.pause()"
    )
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(base), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    assert owner.stdout is not None
    path = Path((await owner.stdout.readline()).decode().strip())
    assert path.is_dir()
    assert sweep(base) == []
    owner.send_signal(signal.SIGKILL)
    await owner.wait()
    assert sweep(base) == [path]
    assert list(base.iterdir()) == []


def test_profile_whose_browser_is_still_ending_waits_for_the_next_sweep(base: Path) -> None:
    path = base / "profile-cccccccccccccccc"
    path.mkdir()
    lock = path / "SingletonLock"
    lock.symlink_to(f"{socket.gethostname()}-{os.getpid()}")
    assert sweep(base) == []
    assert still_ending(base) == [path]
    lock.unlink()
    lock.symlink_to(f"{socket.gethostname()}-{DEAD_PID}")
    assert still_ending(base) == []
    assert sweep(base) == [path]


def test_lock_is_exclusive_and_survives_a_removed_file(base: Path) -> None:
    path = base / "x.lock"
    held = posix.open_lock(path)
    assert held is not None
    assert posix.open_lock(path) is None
    path.unlink()
    fresh = posix.open_lock(path)
    assert fresh is not None
    os.close(held)
    assert posix.open_lock(path) is None
    os.close(fresh)
    assert not os.get_inheritable(held) if Path(f"/dev/fd/{held}").exists() else True


def test_snap_gets_its_profile_where_a_snap_can_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert profile_base(Path("/usr/bin/chromium")) is None
    assert profile_base(Path("/snap/bin/chromium")) == tmp_path / "snap/chromium/common/boathook"


def test_a_runtime_directory_that_others_may_enter_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "runtime/boathook").mkdir(parents=True)
    (tmp_path / "runtime/boathook").chmod(0o755)
    environ = {"XDG_RUNTIME_DIR": str(tmp_path / "runtime"), "TMPDIR": str(tmp_path)}
    with pytest.raises(LaunchFailed, match="open to others"):
        runtime_directory(environ)
    (tmp_path / "runtime/boathook").chmod(0o700)
    assert runtime_directory(environ) == tmp_path / "runtime/boathook"
    assert runtime_directory({"TMPDIR": str(tmp_path)}) == tmp_path / f"boathook-{os.geteuid()}"


def test_planted_symlink_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (tmp_path / f"boathook-{os.geteuid()}").symlink_to(elsewhere)
    environ = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    assert runtime_directory(environ) == tmp_path / "cache/boathook/run"
    (tmp_path / "cache/boathook/run").chmod(0o777)
    with pytest.raises(LaunchFailed, match="open to others"):
        runtime_directory(environ)


def test_the_folder_of_a_killed_browsers_socket_goes_with_its_profile(base: Path, tmp_path: Path) -> None:
    for number, (name, extra) in enumerate(
        (("org.chromium.Chromium.aB3dE6", ""), ("org.chromium.Chromium.xxxxxx", "mine"), ("precious", ""))
    ):
        folder = tmp_path / name
        folder.mkdir()
        for file in ("SingletonSocket", "SingletonCookie", extra):
            (folder / file).touch()
        profile = base / f"profile-{number:016x}"
        profile.mkdir()
        (profile / "SingletonSocket").symlink_to(folder / "SingletonSocket")
    assert len(sweep(base)) == 3
    assert not (tmp_path / "org.chromium.Chromium.aB3dE6").exists()
    assert [path.name for path in (tmp_path / "org.chromium.Chromium.xxxxxx").iterdir()] == ["mine"]
    assert len(list((tmp_path / "precious").iterdir())) == 2


def test_everyday_profiles_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / ".config/google-chrome/Default").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(tmp_path / ".config/google-chrome")
    for path in (
        "~/.config/google-chrome",
        "~/.config/chromium",
        "~/.config/google-chrome/Default",
        "~/alias",
    ):
        with pytest.raises(BadSetting, match="default profile"):
            claim_profile(Path(path))
    assert claim_profile(Path("~/.config/my-agent")).path == tmp_path / ".config/my-agent"


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_system_has_its_everyday_profiles(platform: str) -> None:
    assert len(default_profiles({}, platform=platform)) >= 4


def test_profile_in_use_names_its_holder_and_stale_locks_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "profile"
    path.mkdir()
    lock = path / "SingletonLock"
    lock.symlink_to(f"{socket.gethostname()}-{os.getpid()}")
    with pytest.raises(ProfileInUse, match=str(os.getpid())):
        claim_profile(path)
    lock.unlink()
    lock.symlink_to("another-host-17")
    with pytest.raises(ProfileInUse, match="another-host"):
        claim_profile(path)
    for stale in (f"{socket.gethostname()}-{DEAD_PID}", "nonsense"):
        lock.unlink()
        lock.symlink_to(stale)
        assert claim_profile(path).path == path
        assert lock.is_symlink()
    assert holder_of(tmp_path) is None


def test_profile_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadSetting, match="not a directory"):
        claim_profile(tmp_path / "file")
    with pytest.raises(BadSetting, match="cannot be created"):
        claim_profile(tmp_path / "file/below")
