"""Words for controls without a name: guesses, marked so by `~`, that a person would say."""

import pytest

HINTS = [
    ("<button class='btn x7Ab1c card__close'></button>", '~"card close"'),
    ("<button class='css-1k2j3x p-2 flex'></button><button></button>", '~"1st of 2"'),
    ("<button><svg><use href='sprite.svg#icon-trash'></use></svg></button>", '~"trash icon"'),
    ("<button><img src='/img/zoom-in.png'></button>", '~"zoom in icon"'),
    ("<button>\u00d7</button>", '~"close \u00d7"'),
    ("<button title=Prev>&lt;</button>", '~"Prev <"'),
    ("<button title=Next>Go</button>", 'button "Go"'),
    ("<a title=Prev onclick=1></a>", 'link "Prev"'),
    ("<span title='Click to toggle' onclick=1>AM</span>", 'generic "AM" @e1 [clickable]'),
    ("<div onclick=1><i title=Verified></i><b>Ann</b> Lunch</div>", 'generic "Ann Lunch"'),
    ("<table><tr><th>A<th>B<tr><td onclick=1></td><td onclick=2></td></table>", 'cell ~"1st of 2"'),
    ("<svg><text y=20 onclick=1>Total</text></svg>", 'generic "Total" @e1 [clickable]'),
    ("<div><div>City</div><div><input name=x1></div></div>", 'textbox ~"City"'),
    ("<table><tr><td>Zip:<td><input name=z><tr><td>Tel<td><input name=t></table>", 'textbox ~"Zip"'),
    ("<label>Notes <textarea></textarea></label>", 'textbox "Notes" @e1 [multiline]'),
    ("<svg><circle id=dot r=9 fill=blue onclick=1></circle></svg>", '~"dot, blue circle"'),
    ("<svg><path d='M0 0h9v9z' fill=none stroke='#c00' onclick=1></path></svg>", '~"red shape"'),
    ("<input aria-owns=l role=combobox><ul id=l role=listbox><li role=option>Ruby</ul>", 'option "Ruby"'),
    ("<input type=hidden><input><input>", 'textbox ~"1st of 2"'),
    ("<div onclick=1>Card</div><form><input><input></form>", 'textbox ~"1st of 2"'),
    ("<button>Save</button><div onclick=1>Card</div><input>", "textbox @e"),
    ("<b class='ptr trash' onclick=1></b><b class='ptr star' onclick=1></b>", '~"trash"'),
    ("<b class='ptr' onclick=1></b><i class='star ptr' onclick=1></i>", '~"ptr"'),
    ("<p>Seat</p><div role=combobox aria-label=Combobox tabindex=0></div>", 'combobox ~"Seat" @e'),
    (
        "<div>To<ul hidden><li>Rome</ul></div><div><input type=checkbox><label>Public</label></div>",
        'checkbox ~"Public" @e',
    ),
    (
        "<div><p>To<s style=display:none>Rome</s></p><div><input name=x></div></div>",
        'textbox ~"To" @e',
    ),
    (
        "<img role=button alt=Marker title=Lake src=data:><img role=button alt=Marker title=Pier src=data:>",
        'title="Pier"',
    ),
    (
        "<div role=grid><div role=row><div role=gridcell onclick=1>Monday</div></div></div>",
        'gridcell "Monday" @e',
    ),
    (
        "<div role=grid><div role=row><div role=gridcell tabindex=0>Monday</div></div></div>",
        'gridcell "Monday" @e',
    ),
]


@pytest.mark.parametrize(("page", "line"), HINTS)
async def test_a_control_without_a_name_is_called_by_what_one_sees(tab, site, page, line):
    await tab.goto(site.page(f"<title>t</title>{page}"))
    assert line in (await tab.snapshot()).text.replace(f"@e{await _first_ref(tab)}", "@e1")


async def test_the_title_of_a_control_is_shown_only_if_another_has_its_name(tab, site):
    await tab.goto(site.page("<button title='Keep it'>Save</button><button title='Drop it'>Undo</button>"))
    assert "title=" not in (await tab.snapshot()).text


async def _first_ref(tab):
    text = (await tab.snapshot()).text
    return text.split("@e", 1)[1].split()[0]


async def test_the_answer_of_an_action_names_a_glyph_by_its_hint(tab, site):
    page = "<title>t</title><button class=delete onclick='document.title=1'><i>\ue012</i></button>"
    await tab.goto(site.page(page))
    await tab.snapshot()
    assert str(await tab.click("css=button")).startswith("click: button '~delete' @e")


async def test_in_a_full_snapshot_what_acts_is_guessed_at_only_if_it_shows_no_words_of_its_own(tab, site):
    page = """<title>t</title><p class=promo onclick=1>Spring sale</p><div class=panel onclick=1><button>Save</button></div>
      <p class=note title=Terms onclick=1>Read them</p><i class=trash onclick=1></i>"""
    await tab.goto(site.page(page))
    text = (await tab.snapshot(mode="full")).text
    assert [line.split("@")[0].strip() for line in text.splitlines() if "[clickable]" in line] == [
        "paragraph",
        'generic ~"panel"',
        'paragraph ~"Terms"',
        'generic ~"trash"',
    ]
