"""Shutdown: on request, on a signal, or when the daemon is no longer needed."""

import os
import signal

from boathook.service.daemon.client_connection import is_newer
from boathook.service.daemon.daemon_server import HAND_OVER_SECONDS
from boathook.wire import messages
from tests.daemon.test_client_connection import call, greeted
from tests.support.waiting import until


def test_stop_ends_it_closes_the_host_and_leaves_the_lock(user):
    user.run("ping")
    assert user.run("daemon", "stop").stdout == "the daemon stopped\n"
    assert user.daemons() == []
    assert (user.runtime / "closed").exists()
    assert sorted(path.name for path in user.folder.iterdir()) == ["daemon.lock", "daemon.log", "start.lock"]
    assert user.run("daemon", "stop").stdout == "the daemon is not running\n"


async def test_a_running_call_is_finished_before_the_end_and_a_new_one_goes_to_the_next_daemon(user):
    raw = greeted(user)
    [pid] = user.daemons()
    raw.send(call("one", "until", "a", cwd=str(user.work)))
    await until(lambda: user.has("a.begun"), named="the call began")
    os.kill(pid, signal.SIGTERM)
    await until(lambda: not user.socket.exists(), named="it listens no more")
    raw.send(call("two", "ping"))
    refused = raw.receive()
    assert (refused["type"], refused["id"], refused["ending"]) == ("refused", "two", True)
    late = user.start("ping")
    (user.work / "a.go").touch()
    assert raw.receive() == messages.answer("one", out="gone\n", err="", exit=0)
    assert late.communicate(timeout=40) == ("pong\n", "")
    assert pid not in user.daemons()


def test_an_answer_on_its_way_arrives_whole_before_the_end(user):
    raw = greeted(user)
    raw.send(call("one", "large", str(5 << 20)))
    raw.send(messages.stop())
    kinds = [raw.receive(), raw.receive()]
    [answer] = [said for said in kinds if said["type"] == "answer"]
    assert len(answer["out"]) == 5 << 20
    assert raw.receive() is None


def test_restart_gives_a_new_daemon_and_keeps_the_files_of_others(user):
    user.run("ping")
    [pid] = user.daemons()
    profile = user.folder / "profile-0123456789abcdef"
    profile.mkdir()
    (profile / "Cookies").write_text("mine")
    (user.folder / "session.json").write_text("{}")
    said = user.run("daemon", "restart", "--json").stdout
    [new] = user.daemons()
    assert new != pid
    assert f'"pid": {new}' in said
    assert (profile / "Cookies").read_text() == "mine"
    assert (user.folder / "session.json").read_text() == "{}"


async def test_it_ends_by_itself_when_nobody_needs_it(user):
    user.environment["STAND_IN_IDLE"] = "1"
    assert user.run("ping").stdout == "pong\n"
    await until(lambda: not user.daemons(), named="the daemon ended")
    assert "idle for 1 s" in (user.folder / "daemon.log").read_text()
    assert user.run("ping").stdout == "pong\n"


async def test_it_does_not_end_while_a_call_runs(user):
    user.environment["STAND_IN_IDLE"] = "0.4"
    user.start("until", "a")  # a client of its own: it also brings a daemon back that has ended by then
    await until(lambda: user.has("a.begun"), named="the call began")
    control = greeted(user)
    control.send(call("one", "until", "a", cwd=str(user.work)))
    [pid] = user.daemons()
    alive = [control.receive() for _ in range(12)]
    assert alive == [messages.alive()] * 12, "three times the idle time has passed"
    assert user.daemons() == [pid]
    (user.work / "a.go").touch()
    await until(lambda: pid not in user.daemons(), named="the daemon ended")


async def test_a_daemon_whose_lock_file_was_removed_makes_room(user):
    user.environment["STAND_IN_IDLE"] = "8"
    user.run("ping")
    [pid] = user.daemons()
    (user.folder / "daemon.lock").unlink()
    await until(lambda: pid not in user.daemons(), named="the daemon ended")
    assert user.run("ping").stdout == "pong\n"
    assert len(user.daemons()) == 1


def test_the_log_is_turned_over(user):
    user.folder.mkdir(mode=0o700)
    (user.folder / "daemon.log").write_bytes(b"x" * ((1 << 20) - 10) + b"\n")
    (user.folder / "daemon.log").chmod(0o600)
    user.run("ping")
    assert (user.folder / "daemon.log").stat().st_size < 1000
    assert (user.folder / "daemon.log.1").stat().st_size > 1_000_000


async def test_an_unused_daemon_hands_over_to_a_newer_version(user):
    user.run("ping")
    [old] = user.daemons()
    await until(lambda: user.status()["uptime_seconds"] > 2 * HAND_OVER_SECONDS, named="it is unused")
    user.environment["STAND_IN_VERSION"] = "99.0"
    assert user.run("ping").stdout == "pong\n"
    assert old not in user.daemons()
    assert "a newer version takes over" in (user.folder / "daemon.log").read_text()
    assert len(user.daemons()) == 1


async def test_it_stays_for_other_versions_and_while_it_is_used(user):
    raw = greeted(user)
    [pid] = user.daemons()
    await until(lambda: user.status()["uptime_seconds"] > HAND_OVER_SECONDS + 0.2, named="it would hand over")
    user.environment["STAND_IN_VERSION"] = "0.0.1"
    assert user.run("ping").stdout == "pong\n"
    assert user.daemons() == [pid]
    raw.send(call("one", "until", "a", cwd=str(user.work)))
    await until(lambda: user.has("a.begun"), named="the call began")
    user.environment["STAND_IN_VERSION"] = "99.0"
    assert user.run("ping").stdout == "pong\n"
    assert user.daemons() == [pid]
    (user.work / "a.go").touch()


def test_versions_are_compared_by_their_numbers():
    assert is_newer("0.10.0", "0.9.1")
    assert is_newer("1.0.0rc1", "0.9")
    assert not is_newer("0.9.1", "0.9.1")
    assert not is_newer(None, "0.1")
