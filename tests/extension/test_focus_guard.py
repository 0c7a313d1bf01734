"""What a program opens does not stay in front, however late it comes there; what the user brings to the front does."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from boathook.relay.extension.install_extension import extension_source

SECONDS_LATE = 4
SCRIPT = """
let now = 1_000_000;
Date.now = () => now;
const put = [];
globalThis.chrome = {
  tabs: {
    query: async () => [{ id: 1, windowId: 1 }],
    get: async (id) => ({ id, active: false }),
    update: async (id) => put.push(`tab ${id}`),
  },
  windows: {
    WINDOW_ID_NONE: -1,
    getLastFocused: async () => ({ id: 1 }),
    get: async () => ({ focused: false }),
    update: async (id) => put.push(`window ${id}`),
  },
};
const front = await import(FRONT);
const taken = () => put.splice(0);
const seen = [];
await front.begin();
await front.openedByProgram({ id: 2, windowId: 1 }, 1);
await front.openedByProgram({ id: 3, windowId: 2 }, 1);
seen.push(taken());
now += LATE;
await front.activated(2, 1);
await front.focused(2);
seen.push(taken());
await front.activated(2, 1);
await front.focused(2);
seen.push(taken());
now += LATE;
await front.activated(2, 1);
await front.focused(2);
seen.push(taken());
console.log(JSON.stringify(seen));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_what_comes_to_the_front_late_is_put_back_and_what_the_user_chooses_afterwards_stays(tmp_path):
    shutil.copyfile(extension_source() / "focus_guard.js", tmp_path / "focus_guard.mjs")
    script = SCRIPT.replace("FRONT", json.dumps(str(tmp_path / "focus_guard.mjs")))
    script = script.replace("LATE", str(SECONDS_LATE * 1000))
    line = ["node", "--input-type=module", "-e", script]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    opening, late, once_more, by_the_user = json.loads(done.stdout)
    assert opening == [], "nothing is in front yet"
    assert late == ["tab 1", "window 1"]
    assert once_more == ["tab 1", "window 1"], "window managers insist"
    assert by_the_user == []
