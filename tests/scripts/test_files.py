"""Files that helpers of scripts may read and write, on every surface and engine."""

import json
import shutil
from pathlib import Path

import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest, PolicyBlocked, ScriptFailed
from boathook.sandbox import jail
from boathook.service.scripts.script_files import FileRules, ScriptFiles
from tests.support.engine import engine_of

pytestmark = [
    pytest.mark.shared_daemon,
    pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here"),
]

PAGE = """<input type=file id=f onchange="this.files[0].text().then(t => o.textContent = t)"><p id=o></p>
<a id=d download="a.txt" href="data:text/plain,written">File</a>"""
READ = "await tab.upload_file('#f', {path!r})\nreturn await wait(lambda: tab.text('#o'))"
WRITE = "return (await tab.download('#d', {path!r}))['size']"
READ_JS = "await tab.uploadFile('#f', {path}); return await wait(() => tab.text('#o'))"


@pytest.fixture
def shop(program, site):
    assert program.ask("open", site.page(PAGE)).exit == 0
    return program


def ran(program, code, *options):
    return program.ask("run", "--code", code, *options)


@pytest.mark.parametrize("engine", ["jail", "safe"])
def test_on_the_command_line_helpers_read_and_write_in_the_working_directory_only(shop, engine, tmp_path):
    (shop.work / "mine.txt").write_text("of the project")
    (shop.work / ".env").write_text("hidden")
    (shop.home / ".netrc").write_text("hidden")
    (shop.work / "way").symlink_to(tmp_path)
    options = ("--engine", engine)
    assert "of the project" in ran(shop, READ.format(path="mine.txt"), *options).out, "the control"
    assert ran(shop, WRITE.format(path=f"out-{engine}.txt"), *options).out == "7\n"
    assert (shop.work / f"out-{engine}.txt").read_text() == "written"
    hidden = (str(shop.home / ".netrc"), ".env", "../.netrc")
    for path in ("/etc/passwd", *hidden):
        refused = ran(shop, READ.format(path=path), *options)
        assert "upload_roots" in refused.err, refused
        assert "[script_failed]" in refused.err
        assert "root:" not in refused.out
    for path in (str(tmp_path / "new.txt"), "way/new.txt", ".git/hooks/post-commit", "../new.txt"):
        assert "output_roots" in ran(shop, WRITE.format(path=path), *options).err
    assert [*tmp_path.iterdir()] == [shop.work]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_helpers_in_javascript_have_the_same_files(shop):
    (shop.work / "mine.txt").write_text("of the project")
    assert "of the project" in ran(shop, READ_JS.format(path="'mine.txt'"), "--js").out, "the control"
    assert "upload_roots" in ran(shop, READ_JS.format(path="'/etc/passwd'"), "--js").err


def test_folders_that_the_user_names_are_those_of_helpers_and_not_of_the_code(shop, tmp_path):
    named = tmp_path / "named"
    named.mkdir()
    (named / "in.txt").write_text("named")
    (shop.work / "mine.txt").write_text("of the project")
    roots = ("--upload-roots", str(named), "--output-roots", str(named))
    assert "named" in ran(shop, READ.format(path=str(named / "in.txt")), *roots).out
    assert ran(shop, WRITE.format(path=str(named / "out.txt")), *roots).out == "7\n"
    assert "upload_roots" in ran(shop, READ.format(path="mine.txt"), *roots).err
    code = f"try:\n    open({str(named / 'code.txt')!r}, 'w')\nexcept OSError as error:\n    return error.strerror"
    assert ran(shop, code, *roots).out == "Permission denied\n"
    assert not (named / "code.txt").exists()


def test_files_of_the_code_go_through_helpers_by_their_names(shop):
    code = """open('made.txt', 'w').write('by the script')
await tab.upload_file('#f', 'made.txt')
import os
await tab.download('#d', os.path.abspath('came.txt'))
return [await wait(lambda: tab.text('#o')), open('came.txt').read()]"""
    assert json.loads(ran(shop, code).out) == ["by the script", "written"]
    roots = ("--upload-roots", "/nowhere", "--output-roots", "/nowhere")
    assert json.loads(ran(shop, code, *roots).out) == ["by the script", "written"]


def test_without_a_jail_helpers_have_all_files_as_the_code_has(shop, tmp_path):
    (tmp_path / "any.txt").write_text("any file")
    assert "any file" in ran(shop, READ.format(path=str(tmp_path / "any.txt")), "--engine", "unsafe").out


async def test_in_python_helpers_read_and_write_in_the_working_directory_only(
    tab, site, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("of the project")
    await tab.goto(site.page(PAGE))
    assert (await tab.run(READ.format(path="mine.txt"))).value == "of the project"
    for engine in ("jail", "safe"):
        with pytest.raises(ScriptFailed, match="upload_roots"):
            await tab.run(READ.format(path="/etc/passwd"), engine=engine)
        with pytest.raises(ScriptFailed, match="output_roots"):
            await tab.run(WRITE.format(path=str(tmp_path.parent / "new.txt")), engine=engine)
    assert not (tmp_path.parent / "new.txt").exists()
    monkeypatch.setattr(engine_of(tab).browser, "upload_roots", (tmp_path / "named",))
    made = "open('made.txt', 'w').write('by the script')\n"
    assert (await tab.run(made + READ.format(path="made.txt"))).value == "by the script"
    with pytest.raises(ScriptFailed, match="upload_roots"):
        await tab.run(READ.format(path="mine.txt"))


@pytest.mark.parametrize("folder", ["/", "/home"])
def test_a_folder_around_the_home_folder_is_not_offered(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/home/someone")
    rules = FileRules(folder=Path(folder), usual=(Path(folder),))
    assert ScriptFiles(rules=rules, scratch=tmp_path).writable == (tmp_path,)
    work = FileRules(folder=Path("/home/someone"), usual=(Path("/home/someone"),))
    assert ScriptFiles(rules=work, scratch=tmp_path).writable == (tmp_path, Path("/home/someone"))


def test_folders_of_boathook_are_not_offered(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "project" / "state"))
    scratch, folder = tmp_path / "scratch", tmp_path / "project"
    files = ScriptFiles(rules=FileRules(folder=folder, usual=(folder,)), scratch=scratch)
    upload = catalogue()["upload"]
    assert files.check(upload, {"paths": ["a.txt"]})["paths"] == [str(folder / "a.txt")]
    for path in ("state/boathook/history", str(folder / "state/boathook/x"), "../other", "a/../../b"):
        with pytest.raises(PolicyBlocked):
            files.check(upload, {"paths": ["a.txt", path]})
    for wrong in (5, "", "a\0b", {"a": 1}, True):
        with pytest.raises(BadRequest):
            files.check(upload, {"paths": [wrong]})
