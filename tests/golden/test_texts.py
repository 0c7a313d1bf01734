"""Twenty help screens and forty errors as users read them, kept so that changes of wording are noticed and reviewed.

`pytest tests/golden --write-golden` updates the files.
"""

import re
import shlex
from pathlib import Path

from boathook.commands import catalogue
from boathook.presentation.help import help_for, overview

TEXTS = Path(__file__).parent / "texts"
HELP = (
    "goto",
    "snapshot",
    "click",
    "fill",
    "press",
    "select",
    "find",
    "wait_until",
    "read",
    "screenshot",
    "evaluate",
    "network_route",
    "requests",
    "set_cookies",
    "save_state",
    "emulate",
    "record_start",
    "run",
    "batch",
)
PAGE = """<title>Shop</title><h1>Shop</h1><button>Save</button><button>Save</button><button disabled>Pay</button>
<div style="position: relative"><button id=under>Under</button>
<p role=dialog aria-label=Cookies style="position: absolute; inset: 0; background: #fff">We use cookies</p></div>
<input id=name aria-label=Name><input id=fixed readonly value=x><input type=file id=file><select id=colour><option>Red</select>
<a href=/missing>Missing</a>"""
ERRORS = """\
clik @e1
click
click @e999
click '#nothing' --timeout 300ms
click text=Save
click 'text=Pay' --timeout 300ms
scroll sideways
click @e1 --button fourth
click @e1 --count 0
click @e1 --speed fast
click 'role='
click 'div:contains(x)'
fill '#name'
fill '#fixed' y --timeout 300ms
select '#colour' Blue --timeout 300ms
press Hyper+X
upload '#name' missing.txt
upload '#file' missing.txt
open 'http://[bad'
open http://127.0.0.1:1/
open javascript:alert(1)
open http://169.254.169.254/
wait '#never' --timeout 300ms
wait --url x --text y
get text
get attribute '#name'
eval 'nowhere()'
eval '('
tab t99
tab close t99
screenshot --format bmp
set viewport 0 0
set device abacus
set geo 99 0
network route '**' --status 99
network unroute '**/never'
state show never
dialog accept
set proxy http://127.0.0.1:8080
upgrade
confirm 12
setup notepad
--colour open x
"""


def written(name, text, request):
    file = TEXTS / name
    if request.config.getoption("--write-golden"):
        file.write_text(text)
    return file.read_text()


def test_help_screens_read_as_they_did(request):
    commands = catalogue()
    shown = [overview(one for one in commands.values() if not one.tool_set)]
    shown += [help_for(commands[name]) for name in HELP]
    assert len(shown) == 20
    text = ("-" * 80 + "\n").join(shown)
    assert written("help.txt", text, request) == text


def test_errors_read_as_they_did(program, site, request):
    page = site.page(PAGE)
    program("open", page)
    program("snapshot")
    shown = []
    for line in ERRORS.splitlines():
        done = program.ask(*shlex.split(line))
        shown.append(f"$ boathook {line}\n{done.out}{done.err}exit {done.exit}\n")
    text = plain("\n".join(shown), page, program)
    assert written("errors.txt", text, request) == text
    assert text.count("exit 0\n") == 0, "each of them is an error"


def plain(text, page, program):
    """Without what differs from run to run."""
    origin = page.partition("//")[2].partition("/")[0]
    text = (
        text.replace(str(program.work), "/project")
        .replace(str(program.home), "/home")
        .replace(origin, "site")
    )
    text = re.sub(r"\((?:load|networkidle)\)", "(loaded)", text)
    return re.sub(r"default-[0-9a-f]{8}", "default", re.sub(r"site/\w+/\d+", "site/page", text))
