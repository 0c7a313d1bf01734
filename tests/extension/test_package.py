"""The packed extension, loaded by Chromium itself."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from boathook.relay.extension.install_extension import extension_source, install
from boathook.relay.server.access import EXTENSION_ID
from boathook.relay.server.credentials import RelayCredentials
from tests.extension.chrome import UserChrome
from tests.support.waiting import until_asked
from tools.draw_icons import SIZES, STATES
from tools.pack_extension import pack

FACTS = """chrome.developerPrivate.getExtensionsInfo({includeDisabled: true}).then(all => all.map(one =>
    ({name: one.name, id: one.id, state: one.state, problems: [...one.manifestErrors, ...one.runtimeErrors].map(e => e.message)})))"""


@pytest.fixture
async def chrome(tmp_path):
    """A browser without extensions."""
    running = await UserChrome.start(extension="", profile=tmp_path / "profile")
    yield running
    running.stop()


def faulty_extension(folder):
    """One whose manifest has a mistake, as the control."""
    folder.mkdir()
    manifest = {
        "manifest_version": 3,
        "name": "Faulty",
        "version": "1",
        "permissions": ["no-such-permission"],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def test_the_same_files_give_the_same_archive_without_any_key(tmp_path):
    files = RelayCredentials(tmp_path / "secrets")
    place = install(files, port=4321, folder=tmp_path / "installed")
    counts = [pack(place, tmp_path / name) for name in ("one.zip", "two.zip")]
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    pack(extension_source(), tmp_path / "source.zip")
    assert (tmp_path / "source.zip").read_bytes() == (tmp_path / "one.zip").read_bytes(), (
        "also from an installed one"
    )
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        assert len(names) == counts[0] > 20
        assert "pairing.json" not in names
        assert files.key.encode() not in b"".join(archive.read(name) for name in names)
        assert "key" not in json.loads(archive.read("manifest.json"))
    assert files.key in (place / "pairing.json").read_text(), "the control: the installed one has it"


def test_every_icon_of_every_state_is_there(tmp_path):
    for state in STATES:
        for size in SIZES:
            data = (extension_source() / "icons" / f"{state}-{size}.png").read_bytes()
            assert data[:8] == b"\x89PNG\r\n\x1a\n"
            assert int.from_bytes(data[16:20], "big") == int.from_bytes(data[20:24], "big") == size


async def test_chromium_loads_the_archive_without_a_warning(chrome, tmp_path):
    pack(extension_source(), tmp_path / "packed.zip")
    with zipfile.ZipFile(tmp_path / "packed.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    browser = (await chrome.ask("/json/version"))["webSocketDebuggerUrl"]
    loaded, _ = [
        await chrome.command(browser, "Extensions.loadUnpacked", path=str(folder))
        for folder in (tmp_path / "unpacked", faulty_extension(tmp_path / "faulty"))
    ]
    assert loaded["id"] != EXTENSION_ID, "without its key it has another id"
    page = await chrome.open("chrome://extensions")
    await chrome.settled(page)

    async def both():
        found = {entry["name"]: entry for entry in await chrome.evaluate(page, FACTS)}
        return found if {"Faulty", "Boathook"} <= set(found) else None

    found = await until_asked(both, named="both are listed")
    assert found["Faulty"]["problems"], "the control: mistakes are reported"
    assert found["Boathook"] == {"name": "Boathook", "id": loaded["id"], "state": "ENABLED", "problems": []}

    async def welcome():
        return any(f"{loaded['id']}/welcome.html" in entry["url"] for entry in await chrome.targets())

    await until_asked(welcome, named="its first-run page is open")


def test_every_file_that_the_extension_names_is_part_of_it():
    source = extension_source()
    manifest = json.loads((source / "manifest.json").read_text())
    named = [*manifest["icons"].values(), *manifest["action"]["default_icon"].values()]
    named += [manifest["background"]["service_worker"], manifest["action"]["default_popup"]]
    for page in source.glob("*.html"):
        text = page.read_text()
        named += [part.split('"')[0] for part in text.split('src="')[1:] + text.split('href="')[1:]]
    assert len(named) > 15
    assert [name for name in named if not Path(source, name).is_file()] == []
