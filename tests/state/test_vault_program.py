"""The vault as users of the command line meet it: passwords are stored, and appear only in the page's field."""

import base64
import json
from urllib.parse import quote, quote_plus

import pytest

from tests.state.login_site import PASSWORD, SEED, USER
from tests.support.program import Program

pytestmark = pytest.mark.slow
LOOKS = (
    ["snapshot", "--mode", "full"],
    ["read"],
    ["get", "html", "body"],
    ["get", "title"],
    ["eval", "document.body.innerText"],
    ["console"],
    ["requests"],
    ["storage", "local"],
    ["cookies"],
    ["auth", "list"],
    ["auth", "show", "desk"],
    ["session"],
    ["tabs"],
)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("home"))
    yield made
    made.stop()


def test_the_password_is_found_nowhere(program, logins_site):
    said = []

    def run(*argv, **more):
        done = program(*argv, **more)
        said.append(done.stdout + done.stderr)
        return done

    url = f"{logins_site.origin}/mirror"
    saved = run(
        "auth", "save", "desk", "--url", url, "--username", USER, "--password-stdin", "--totp-stdin",
        stdin=f"{PASSWORD}\n{SEED}\n",
    )  # fmt: skip
    assert saved.stdout.startswith(f"desk: {url} as ")
    assert "with one-time codes" in saved.stdout
    run("open", f"{logins_site.origin}/empty")
    run("network", "har", "start")
    run("trace", "start")
    done = run("auth", "login", "desk")
    assert done.returncode == 0, done.stderr
    assert "filled in user name, password" in done.stdout
    assert "the login fields are gone, 1 new cookie" in done.stdout
    for form in ((), ("--json",)):
        run(*form, "batch", stdin=json.dumps(LOOKS))
        run(*form, "history", "--limit", "100")
    trace = program.work / "trace.json"
    assert run("trace", "stop", str(trace)).returncode == 0
    har = program.work / "all.har"
    assert run("network", "har", "stop", str(har)).returncode == 0
    assert run("--debug", "auth", "login", "desk", "--json").returncode == 0

    given = json.dumps(logins_site.given)
    assert json.dumps(PASSWORD)[1:-1] in given, "the control: the site really had it"
    assert "/mirror" in har.read_text(), "the control: the recording has the login"
    assert "/mirror" in trace.read_text(), "and so has the trace"
    kept = "".join(
        path.read_text(errors="replace")
        for path in program.home.rglob("*")
        if path.is_file() and "profile-" not in str(path)
    )
    assert len(kept) > 5_000
    told = "".join(said)
    forms = {
        PASSWORD,
        quote(PASSWORD),
        quote_plus(PASSWORD),
        json.dumps(PASSWORD)[1:-1],
        base64.b64encode(PASSWORD.encode()).decode(),
        SEED,
    }
    assert [form for form in forms if form in told] == []
    assert [form for form in forms if form in kept] == []


def test_what_is_kept_is_listed_shown_and_removed(program, logins_site):
    url = f"{logins_site.origin}/one"
    program(
        "auth",
        "save",
        "other",
        "--url",
        url,
        "--username",
        "bob",
        "--password",
        "env:WORD",
        WORD="pass-word-1",
    )
    shown = program.json("auth", "show", "other")["data"]
    assert {name: shown[name] for name in ("name", "url", "username", "has_code")} == {
        "name": "other",
        "url": url,
        "username": "bob",
        "has_code": False,
    }
    assert "password" not in json.dumps(shown)
    assert "other" in [entry["name"] for entry in program.json("auth", "list")["data"]]
    files = program.home / ".local/state/boathook/vault/logins"
    assert b"pass-word-1" not in (files / "other.json").read_bytes()
    assert program("auth", "remove", "other").stdout == "removed login other\n"
    assert not (files / "other.json").exists()


MISTAKES = (
    (["--password", "hunter-22-flies"], None, "pass a reference to the secret, not its value"),
    ([], None, "either on standard input or from a source"),
    (["--password-stdin"], "", "too few lines"),
    (["--password-stdin"], "hunter-22-flies\nmore\n", "standard input has too many lines"),
    (
        ["--password", "env:HOME", "--totp", "hunter-22-flies"],
        None,
        "pass a reference to the secret, not its value",
    ),
    (["--password", "secret:nowhere"], None, "secret 'nowhere' not found"),
)


def test_a_password_on_the_command_line_and_other_mistakes_are_refused(program):
    for words, stdin, said in MISTAKES:
        done = program(
            "auth", "save", "wrong", "--url", "https://example.org/", "--username", "ada", *words, stdin=stdin
        )
        assert done.returncode == 2
        assert said in done.stderr
        assert "hunter-22-flies" not in done.stderr
    assert "no such login: 'wrong'" in program("auth", "show", "wrong").stderr
    kept = [path.read_text() for path in program.home.rglob("*.jsonl")]
    assert kept, "the control: there is a history"
    assert not any("hunter-22-flies" in text for text in kept)


def test_states_are_sealed_on_request_or_by_setting_and_stay_so(program, logins_site):
    own = ("--session", "sealed")
    program(*own, "open", f"{logins_site.origin}/empty")
    program(*own, "cookies", "set", "login", "hunter-22-flies")
    folder = program.home / ".local/state/boathook/states"
    assert program(*own, "state", "save", "one", "--encrypt").stdout.endswith(
        "1 cookie, 0 origins, encrypted\n"
    )
    assert program(*own, "state", "save", "plain").stdout.endswith("0 origins\n")
    assert program(*own, "state", "save", "one").stdout.endswith("encrypted\n"), "it was before"
    assert b"hunter" not in (folder / "one.json").read_bytes()
    assert b"hunter" in (folder / "plain.json").read_bytes(), "the control"

    key = {"BOATHOOK_ENCRYPTION_KEY": "ef" * 32}
    assert program(*own, "state", "save", "mine", **key).stdout.endswith("encrypted\n")
    assert program(*own, "state", "load", "mine", **key).returncode == 0
    before = (folder / "mine.json").read_bytes()
    for line in (["state", "load", "mine"], ["state", "save", "mine"]):
        refused = program(*own, *line)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "which is not available" in refused.stderr
    assert (folder / "mine.json").read_bytes() == before
    rotated = program(*own, "state", "rotate")
    assert "with a new key" in rotated.stdout
    assert "cannot be decrypted, left unchanged: mine" in rotated.stdout
    assert program(*own, "state", "load", "one").returncode == 0
    assert (folder / "mine.json").read_bytes() == before
