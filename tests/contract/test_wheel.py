"""The wheel, installed into an empty environment: it holds what it needs and works without the repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from native.compiler import system_compiler

from tests.support.thorough import THOROUGH

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def build(folder: Path, **variables: str) -> Path:
    run(
        *(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, ROOT),
        cwd=folder,
        **variables,
    )
    [built] = folder.glob("boathook-*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


def test_wheel_holds_types_page_scripts_and_nothing_foreign(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "boathook/py.typed" in names
    scripts = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src/boathook").rglob("*.js")}
    assert scripts <= set(names)
    name = wheel.name.split("-py3")[0]
    assert {path.split("/")[0] for path in names} <= {"boathook", f"{name}.dist-info", f"{name}.data"}
    assert not [path for path in names if "__pycache__" in path]
    programs = {path.split("/", 1)[1] for path in names if path.startswith(f"{name}.data")}
    if system_compiler() is None:
        assert programs == set()
    else:
        assert programs == {"scripts/boathook", "scripts/bh", "scripts/boathook-python"}
        assert not wheel.name.endswith("-any.whl")


def test_the_description_of_the_package_has_no_relative_links(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        description = archive.read(name).decode()
    targets = re.findall(r"\]\(([^)]+)\)", description)
    assert len(targets) > 5, "the control"
    assert [target for target in targets if not target.startswith("https://")] == []
    assert "](docs/install.md)" in (ROOT / "README.md").read_text(), "relative in the repository"


def _dependencies(environment: Path) -> list[str]:
    """Those of this environment are used as they are; `make stress` and `make release-check` install the declared ones."""
    if THOROUGH:
        return []
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return ["--no-deps"]


def install_wheel(environment: Path, wheel: Path) -> Path:
    """A new environment with the wheel; returns the folder of its programs."""
    folder = environment.parent
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=folder)
    pip = (sys.executable, "-m", "pip", "--python", environment / "bin/python", "--disable-pip-version-check")
    run(*pip, "install", "-q", "--no-compile", *_dependencies(environment), wheel, cwd=folder)
    return environment / "bin"


def test_wheel_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    python = install_wheel(tmp_path / "venv", wheel) / "python"
    where = run(python, "-I", "-c", "import boathook; print(boathook.__file__)", cwd=tmp_path)
    assert where.startswith(str(tmp_path / "venv"))
    page = "data:text/html,<title>Wheel</title><button>Go</button>"
    code = f"import boathook\nwith boathook.sync.launch() as browser:\n  print(browser.open({page!r}).snapshot())"
    assert 'button "Go" @e1' in run(python, "-I", "-c", code, cwd=tmp_path)
    check_programs(tmp_path / "venv/bin", tmp_path)


def test_without_a_compiler_the_programs_are_python(tmp_path: Path) -> None:
    built = build(tmp_path, BOATHOOK_NATIVE="0")
    assert built.name.endswith("-py3-none-any.whl")
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path)
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        tmp_path / "venv/bin/python",
        "--disable-pip-version-check",
    )
    run(*pip, "install", "-q", "--no-compile", *_dependencies(tmp_path / "venv"), built, cwd=tmp_path)
    assert (tmp_path / "venv/bin/boathook").read_bytes().startswith(b"#!")
    check_programs(tmp_path / "venv/bin", tmp_path)


def check_programs(programs: Path, folder: Path) -> None:
    """Both programs, with and without a daemon; a link to one finds its environment too."""
    link = folder / "linked"
    link.symlink_to(programs / "boathook")
    home = folder / "home"
    home.mkdir(mode=0o700)
    assert run(programs / "bh", "--version", cwd=folder).startswith("boathook ")
    try:
        for program in (programs / "boathook", programs / "bh", link):
            assert run(program, "session", "list", cwd=folder, HOME=str(home)) == "none\n"
    finally:
        run(link, "daemon", "stop", cwd=folder, HOME=str(home))
