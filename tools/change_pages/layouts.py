"""Thirty page layouts; the odd ones were used while the reports were written, the even ones only judge."""

from __future__ import annotations

NAMES = [
    "Ada",
    "Alan",
    "Barbara",
    "Donald",
    "Edsger",
    "Frances",
    "Grace",
    "Hedy",
    "Ivan",
    "John",
    "Katherine",
    "Leslie",
    "Margaret",
    "Niklaus",
]
GOODS = ["Kettle", "Lamp", "Chair", "Desk", "Shelf", "Rug", "Clock", "Mirror", "Vase", "Stool"]


def _many(template: str, count: int) -> str:
    """The template `count` times, with a number, a name and a thing in each."""
    return "".join(
        template.format(n=n, name=NAMES[n % len(NAMES)], good=GOODS[n % len(GOODS)], price=7 * n + 3)
        for n in range(1, count + 1)
    )


def _shadow(host: str, inside: str, light: str = "") -> str:
    return f"<{host}><template shadowrootmode=open>{inside}</template>{light}</{host}>"


def _frame(body: str) -> str:
    return f'<iframe width=400 height=150 srcdoc="{body.replace(chr(34), "&quot;")}"></iframe>'


ODD = {
    "list": f"<h1>To do</h1><ul>{_many('<li class=item>Buy {good} for {name}</li>', 8)}</ul><p>Items: <span>8</span></p>",
    "table": "<table><caption>Orders</caption><thead><tr><th>No<th>Who<th>Sum</tr></thead><tbody>"
    f"{_many('<tr><td>{n}</td><td>{name}</td><td>{price} €</td></tr>', 12)}</tbody></table>",
    "form": "<form><label>Name <input value=Ada></label><label>Mail <input type=email></label><label>Age <input type=number value=41></label>"
    "<label>About <textarea>Writes programs.</textarea></label><label><input type=checkbox> News</label>"
    "<label>Size <select><option>Small<option>Medium<option>Large</select></label><fieldset><legend>Pay</legend>"
    "<label><input type=radio name=p checked> Card</label><label><input type=radio name=p> Cash</label></fieldset>"
    "<label>Secret <input type=password value=hush></label><label>Day <input type=date></label></form>",
    "cards": _many(
        "<article class=card><h3>{good}</h3><p class=price>{price} €</p><button type=button>Add</button> <a href=#x>More</a></article>",
        6,
    ),
    "frames": f"<p>Outer words</p>{_frame('<h2>Inner</h2><p class=a>Frame words 1</p><button>Press</button><input value=one>')}",
    "shadow": _shadow(
        "x-card",
        "<h2>Shadow title</h2><p>Shadow words 12</p><button type=button aria-pressed=false>Like</button>",
    )
    * 3,
    "virtual": "<div role=list style='height:200px;overflow:auto'>"
    f"{_many('<div role=listitem class=row>Row {n} of {name}</div>', 40)}</div>",
    "toggles": "<style>.off{display:none} .box:not(.on) .more{visibility:hidden}</style>"
    f"{_many('<div class=box><b>Part {n}</b><p class=off>Hidden part {n} {name}</p><p class=more>More on {good}</p></div>', 5)}",
    "aria": "<div role=tablist><div role=tab tabindex=0 aria-selected=true>One</div><div role=tab tabindex=0 aria-selected=false>Two</div></div>"
    "<button aria-expanded=false>Menu</button><button aria-pressed=false>Bold</button><div role=switch tabindex=0 aria-checked=false>Dark</div>"
    "<div role=progressbar aria-label=Upload aria-valuenow=20></div><div role=slider tabindex=0 aria-label=Volume aria-valuenow=5></div>"
    "<span aria-busy=false role=region aria-label=Feed>Feed words</span>",
    "live": "<p role=status>Ready</p><div role=alert></div><div role=log><p>First entry</p><p>Second entry</p></div><button type=button>Other</button>",
    "chart": "<svg width=300 height=120 role=img aria-label=Sales><rect width=40 height=80></rect><text x=10 y=20>Mon 12</text>"
    "<text x=60 y=20>Tue 34</text></svg><svg width=200 height=60><text y=20>Bare 5</text></svg><p>Total: <b>46</b></p>",
    "accordion": _many("<details><summary>Question {n}</summary><p>Answer of {name} {n}</p></details>", 6),
    "css_toggles": "<style>.t:not(:checked)+label+p{display:none} body:has(#all:checked) .extra{display:none}</style>"
    + _many(
        "<div><input class=t type=checkbox id=t{n}><label for=t{n}>Show {n}</label><p>Shown by rule {n} {good}</p></div>",
        4,
    )
    + "<label><input id=all type=checkbox> Fewer</label><p class=extra>Extra words</p>",
    "inline": "<p>Your cart holds <b>3</b> things for <i>12 €</i>, <a href=#c>change</a> them or <button type=button>pay</button> now.</p>"
    "<p>Page <span>2</span> of <span>20</span></p><p>12</p><p>2</p>",
    "nested": f"<div>{'<div><section>' * 12}<p>Deep words</p><button type=button>Deep</button>{'</section></div>' * 12}</div><p>Flat words</p>",
}

EVEN = {
    "grid": "<div role=grid aria-label=Cells>"
    + _many(
        "<div role=row><span role=rowheader>{name}</span><span role=gridcell tabindex=-1>{price}</span><span role=gridcell aria-selected=false>{good}</span></div>",
        6,
    )
    + "</div>",
    "tree": "<ul role=tree><li role=treeitem aria-expanded=true tabindex=0>Root<ul role=group>"
    f"{_many('<li role=treeitem tabindex=-1 aria-selected=false>Leaf {n} {name}</li>', 5)}</ul></li></ul>",
    "menu": "<nav><ul><li><a href=#a>Home</a></li><li><a href=#b aria-current=page>Shop</a><ul hidden><li><a href=#c>Lamps</a></li>"
    "<li><a href=#d>Rugs</a></li></ul></li></ul></nav><p>Welcome back</p>",
    "nested_frames": _frame(
        f"<p>Middle words</p>{_frame('<p>Innermost words</p><button>Deep press</button>')}<ul><li>One<li>Two</ul>"
    ),
    "slots": _shadow(
        "x-panel",
        "<header><slot name=title></slot></header><slot></slot><footer>Footer 3</footer>",
        "<b slot=title>Panel</b><p>Slotted words</p><button type=button>Slotted</button>",
    )
    + _shadow(
        "x-outer",
        _shadow("x-inner", "<p>Inner shadow words</p><input value=a>") + "<p>Outer shadow words</p>",
    ),
    "kanban": "<div style='display:flex'>"
    + "".join(
        f"<section aria-label={column}><h2>{column}</h2>{_many('<div class=card draggable=true>Task {n} {name}</div>', count)}</section>"
        for column, count in (("Open", 4), ("Doing", 2), ("Done", 3))
    )
    + "</div>",
    "prose": f"<article><h1>On boats</h1>{_many('<p>{name} took boat {n} with a <em>{good}</em> and said that it was worth {price} euros.</p>', 9)}</article>",
    "settings": _many(
        "<div class=row><span>{good} alerts</span><button type=button role=switch aria-checked=false aria-label='{good} alerts'></button><small>Off</small></div>",
        6,
    ),
    "calendar": "<table role=grid aria-label=March><tbody>"
    + "".join(
        f"<tr>{''.join(f'<td role=gridcell aria-selected=false tabindex=-1>{week * 7 + day + 1}</td>' for day in range(7))}</tr>"
        for week in range(4)
    )
    + "</tbody></table><p>Chosen: <output>none</output></p>",
    "chat": f"<div role=log aria-label=Chat>{_many('<div class=message><b>{name}</b>: <span>hello {n}</span></div>', 7)}</div>"
    "<label>Message <input></label><button type=button>Send</button>",
    "checkout": "<dl><dt>Sum</dt><dd>40 €</dd><dt>Tax</dt><dd>4 €</dd></dl><progress value=20 max=100></progress><meter value=3 max=9></meter>"
    "<label>Country <select><option>Chile<option>Peru<option>Togo</select></label><label>Extras <select multiple><option>Bag<option>Card<option>Ribbon</select></label>"
    "<label>Tip <input type=range value=20></label><label>Shade <input type=color></label><button type=button disabled>Pay</button>",
    "popovers": "<button popovertarget=p1>Info</button><div popover id=p1>Popover words 7 <button type=button>Close it</button></div>"
    "<dialog open style='position:static'><p>Dialog words</p><button type=button>Fine</button></dialog><dialog><p>Shut words</p></dialog>",
    "hidden_from_readers": "<p aria-hidden=true>Seen, not read</p><div inert><p>Inert words</p><button type=button>Inert</button></div>"
    "<button type=button aria-label=Named>Other words 5</button><label><input type=checkbox aria-label=Accept> Shown label 3</label>"
    "<canvas width=40 height=20>Fallback</canvas><span style='position:absolute;left:-999px'>Far words</span>",
    "long_list": f"<ol>{_many('<li class=entry><a href=#e{n}>Entry {n}</a> by {name} <button type=button>Vote</button></li>', 120)}</ol>",
    "scripts": "<p lang=de>Größe 12 cm</p><p dir=rtl>مرحبا 5</p><p>日本語 三</p><p>&quot;Quoted&quot; \\ back 👩‍👩‍👧</p><p style='text-transform:uppercase'>shout now</p>"
    "<pre>one\n  two\n</pre><img alt=Boat width=20 height=20><div contenteditable>Editable words</div><hr><p>10</p><p>1</p>",
}

LAYOUTS = {**ODD, **EVEN}


def page_for(layout: str) -> str:
    """The whole page, with the button that is clicked."""
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Layout {layout}</title><link rel=icon href=data:,>"
        "<style>.off{display:none} iframe{border:0}</style></head><body><div id=bar style='position:sticky;top:0;z-index:9;background:#fff'>"
        f"<button id=go type=button>Go</button></div><main>{LAYOUTS[layout]}</main></body></html>"
    )


QUIET = "default-src 'self' 'unsafe-inline' data:; script-src 'none'; frame-src 'none'; img-src data:"


def silenced(html: str) -> str:
    """A page from elsewhere without its scripts, frames and foreign hosts."""
    return f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{QUIET}"><link rel=icon href=data:,>{html}'
