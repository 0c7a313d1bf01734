"""Deterministic fixture pages and the loopback server that serves them.

Pages (generated, except the real ones):
  /flat/N     about N elements, all close to <main>
  /css/N      about N elements with classes, under a stylesheet of 5,000 rules
  /desk       a form with 20 inputs and a table of 100 rows with a link and two buttons each
  /busy       3,000 delegated listeners, 5,000 items, 500 icons
  /deep/N     about N elements in chains 100 <div>s deep
  /frames     20 same-origin iframes, 5 cross-origin iframes, open/closed shadow roots
  /actions    button+counter, input, textarea, select, checkbox (W4)
  /form       12-step form workflow (W5)
  /nav/I      small page number I (W6)
  /article    about 5,000 words of prose, table, list, code, with nav/aside/footer (W8)
  /tall       5,000 px tall page (W7)
  /real/NAME  a page of `real_pages.py` (P)

`python fixtures.py PORT` serves on 127.0.0.1 and on the name "localhost" (same
port; the two names are different sites, so frames between them are out of process
wherever site isolation is on).
"""

from __future__ import annotations

import random
import socket
import sys
import threading
from functools import lru_cache

import real_pages
from items import busy_page

WORDS = (
    "river stone market window garden letter engine planet silver candle "
    "bridge forest doctor island signal copper meadow harbor ladder pepper "
    "orange velvet winter summit thread anchor basket cotton dragon falcon"
).split()


def _page(title: str, body: str, head: str = "") -> bytes:
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        f"<title>{title}</title>{head}</head><body>{body}</body></html>"
    ).encode()


def flat(n: int) -> bytes:
    rnd = random.Random(n)
    out = ["<main>"]
    count = 1
    i = 0
    while count < n:
        i += 1
        w = f"{rnd.choice(WORDS)} {rnd.choice(WORDS)} {i}"
        k = i % 10
        if k == 0:
            out.append(f"<h2>Section {w}</h2>")
            count += 1
        elif k in (1, 4):
            out.append(f'<a href="/nav/{i}">Link {w}</a>')
            count += 1
        elif k == 2:
            out.append(f"<button type=button>Button {w}</button>")
            count += 1
        elif k == 3:
            out.append(f'<input type=text aria-label="Field {w}" value="v{i}">')
            count += 1
        elif k == 5:
            out.append(f"<label><input type=checkbox {'checked' if i % 3 else ''}> Option {w}</label>")
            count += 2
        elif k == 6:
            out.append(
                f'<img alt="Picture {w}" width=8 height=8 src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'
            )
            count += 1
        elif k == 7:
            out.append(f"<ul><li>Item {w}</li><li>Item two {i}</li></ul>")
            count += 3
        elif k == 8:
            out.append(f"<p>Some text about <b>{w}</b> and more words.</p>")
            count += 2
        else:
            out.append(f"<div><span>Label {w}</span></div>")
            count += 2
    out.append("</main>")
    return _page(f"Flat {n}", "".join(out))


def stylesheet() -> str:
    """5,000 rules: 4,400 plain, 300 icons by ::before, 150 that hide, 150 that transform text."""
    rnd = random.Random(5000)
    rules = [
        f".c{k}{{color:hsl({rnd.randrange(360)} 40% 30%);padding:{rnd.randrange(4)}px}}" for k in range(2600)
    ]
    rules += [f".card .c{k} > span{{margin-left:{rnd.randrange(5)}px}}" for k in range(900)]
    rules += [f".c{k}:hover, .theme-{k} .title{{text-decoration:underline}}" for k in range(900)]
    rules += [f'.icon-{k}::before{{content:"\\{0xE000 + k:x}";font-family:icons}}' for k in range(300)]
    rules += [f".hid-{k}{{visibility:{'hidden' if k % 2 else 'visible'}}}" for k in range(150)]
    rules += [
        f".up-{k}{{text-transform:{('uppercase', 'capitalize', 'lowercase')[k % 3]}}}" for k in range(150)
    ]
    return "\n".join(rules)


def css(n: int) -> bytes:
    rnd = random.Random(n + 1)
    out = ["<main class='page c1'>"]
    count = 1
    i = 0
    while count < n:
        i += 1
        w = f"{rnd.choice(WORDS)} {rnd.choice(WORDS)} {i}"
        c = rnd.randrange(2600)
        shut = f" hid-{rnd.randrange(75) * 2 + 1}" if i % 40 == 0 else f" hid-{rnd.randrange(75) * 2}"
        out.append(
            f'<section class="card c{c} theme-{c % 900}"><h3 class="title c{c + 1} up-{i % 150}">Card {w}</h3>'
            f'<p class="c{i % 2600} body">About <b class="c{i % 900} strong">{w}</b>'
            f'<span class="c{i % 700} badge{shut}">badge {i}</span></p>'
            f'<div class="row c{i % 50}"><a class="link c{i % 800}" href="/nav/{i}"><i class="icon-{i % 300}"></i>'
            f'<span class="label up-{i % 7}">Open {w}</span></a>'
            f'<button type=button class="btn c{i % 1200} icon-{(i + 9) % 300}">Keep {i}</button></div></section>'
        )
        count += 10
    out.append("</main>")
    return _page(f"Css {n}", "".join(out), f"<style>{stylesheet()}</style>")


def desk() -> bytes:
    out = ["<header><nav aria-label=Main>"]
    out += [f'<a href="/nav/{k}">{WORDS[k].capitalize()}</a> ' for k in range(5)]
    out.append("</nav></header><main><h1>Ticket desk</h1><form aria-label='New ticket'>")
    for k in range(16):
        kind = ("text", "email", "tel", "number", "date")[k % 5]
        out.append(f"<label>{WORDS[k].capitalize()} {kind} <input type={kind} name=f{k}></label> ")
    out += [f"<label><input type=checkbox name=c{k}> Send {WORDS[k + 20]}</label> " for k in range(4)]
    out.append("<button type=submit>Create ticket</button></form>")
    out.append(
        "<h2>Open tickets</h2><table><thead><tr><th>Number<th>Subject<th>Owner<th>State<th>Actions</tr></thead><tbody>"
    )
    rnd = random.Random(100)
    for k in range(100):
        subject = f"{rnd.choice(WORDS).capitalize()} {rnd.choice(WORDS)} {rnd.choice(WORDS)}"
        out.append(
            f'<tr><td>{4100 + k}<td><a href="/nav/{k}">{subject}</a><td>{rnd.choice(WORDS).capitalize()}'
            f"<td>{('open', 'waiting', 'solved')[k % 3]}<td><button type=button>Edit</button>"
            "<button type=button>Close</button></tr>"
        )
    out.append("</tbody></table></main><footer><p>Desk footer</p></footer>")
    return _page("Desk", "".join(out))


def deep(n: int) -> bytes:
    depth = 100
    chains = max(1, round(n / (depth + 3)))
    if n < depth:
        depth, chains = n - 3, 1
    out = []
    for c in range(chains):
        w = WORDS[c % len(WORDS)]
        out.append("<div>" * depth)
        out.append(
            f"<span>Text {w} {c}</span><button type=button>Deep {w} {c}</button>"
            f'<a href="/nav/{c}">Deep link {w} {c}</a>'
        )
        out.append("</div>" * depth)
    return _page(f"Deep {n}", "".join(out))


def frames(port: int) -> bytes:
    out = ["<h1>Frames page</h1>"]
    for k in range(20):
        out.append(f'<iframe width=180 height=60 src="/inner/SAMEFRAME_{k}"></iframe>')
    for k in range(5):
        out.append(
            f'<iframe width=180 height=60 src="http://localhost:{port}/inner/CROSSFRAME_{k}"></iframe>'
        )
    for k in range(5):
        out.append(
            f"<x-card><template shadowrootmode=open><section><button type=button>SHADOW_{k}</button>"
            f"<x-in><template shadowrootmode=open><button type=button>NESTEDSHADOW_{k}</button></template></x-in>"
            "</section></template></x-card>"
        )
    out.append(
        "<x-closed><template shadowrootmode=closed><button type=button>CLOSEDSHADOW_0</button></template></x-closed>"
    )
    return _page("Frames", "".join(out))


def inner(name: str) -> bytes:
    return _page(
        name, f'<h3>Heading {name}</h3><button type=button>{name}</button><input aria-label="Input {name}">'
    )


ACTIONS = _page(
    "Actions",
    """
<h1>Actions</h1>
<button id=b type=button onclick="n.textContent=+n.textContent+1">Press me</button> <p id=n>0</p>
<label>Plain input <input id=i></label>
<label>Long text <textarea id=t rows=4 cols=40></textarea></label>
<label>Colour <select id=s><option value=red>Red</option><option value=green>Green</option><option value=blue>Blue</option></select></label>
<label><input type=checkbox id=c> Agree</label>
""",
)

FORM = _page(
    "Form",
    """
<h1>Order form</h1>
<form id=f onsubmit="event.preventDefault();const d=Object.fromEntries(new FormData(f));
 setTimeout(()=>{r.textContent='Result: '+[d.first,d.last,d.email,d.city,d.notes.length,d.size,d.terms].join('|')},20)">
<label>First name <input name=first></label>
<label>Last name <input name=last></label>
<label>Email <input name=email type=email></label>
<label>City <input name=city></label>
<label>Notes <textarea name=notes></textarea></label>
<label>Size <select name=size><option value=s>Small</option><option value=m>Medium</option><option value=l>Large</option></select></label>
<label><input type=checkbox name=terms value=yes> Accept terms</label>
<button type=submit>Place order</button>
</form>
<p id=r></p>
""",
)


def nav(i: int) -> bytes:
    return _page(f"Nav {i}", f"<h1>Page {i}</h1><p>Small page number {i}.</p><a href='/nav/{i + 1}'>next</a>")


def article() -> bytes:
    rnd = random.Random(5000)

    def sent() -> str:
        k = rnd.randint(8, 16)
        return " ".join(rnd.choice(WORDS) for _ in range(k)).capitalize() + "."

    words = 0
    out = [
        "<header><nav><ul>"
        + "".join(f'<li><a href="/nav/{i}">Menu {i}</a></li>' for i in range(20))
        + "</ul></nav></header>",
        "<aside><h2>Sidebar</h2>"
        + "".join(f'<p><a href="/nav/{i}">Promo {i}</a></p>' for i in range(15))
        + "</aside>",
        "<main><article><h1>The long article</h1>",
    ]
    sec = 0
    while words < 5000:
        sec += 1
        out.append(f"<h2>Part {sec}</h2>")
        for _ in range(6):
            p = " ".join(sent() for _ in range(6))
            words += p.count(" ") + 1
            out.append(f'<p>{p} See <a href="/nav/{sec}">the note {sec}</a> and <em>mark it</em>.</p>')
        if sec % 3 == 0:
            out.append(
                "<table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody>"
                + "".join(f"<tr><td>{WORDS[r]}</td><td>{r * sec}</td></tr>" for r in range(6))
                + "</tbody></table>"
            )
            out.append("<pre><code>for x in range(3):\n    print(x)\n</code></pre>")
            out.append("<ul>" + "".join(f"<li>{sent()}</li>" for _ in range(4)) + "</ul>")
    out.append("</article></main><footer><p>Footer text</p></footer>")
    return _page("Article", "".join(out))


TALL = _page(
    "Tall",
    "".join(
        f"<div style='height:100px;background:hsl({i * 37 % 360} 60% 85%)'>"
        f"<h3>Row {i}</h3><p>{' '.join(WORDS)}</p></div>"
        for i in range(50)
    ),
)


@lru_cache(maxsize=512)
def body_for(path: str, port: int) -> bytes | None:
    parts = path.split("?")[0].strip("/").split("/")
    try:
        if parts[0] == "flat":
            return flat(int(parts[1]))
        if parts[0] == "deep":
            return deep(int(parts[1]))
        if parts[0] == "css":
            return css(int(parts[1]))
        if parts[0] == "nav":
            return nav(int(parts[1]))
        if parts[0] == "inner":
            return inner(parts[1])
        if parts[0] == "real":
            return real_pages.source(parts[1])
    except (IndexError, ValueError):
        return None
    return {
        "frames": lambda: frames(port),
        "desk": desk,
        "busy": lambda: busy_page.PAGE.encode(),
        "actions": lambda: ACTIONS,
        "form": lambda: FORM,
        "article": article,
        "tall": lambda: TALL,
        "": lambda: nav(0),
    }.get(parts[0], lambda: None)()


@lru_cache(maxsize=512)
def response_for(path: str, port: int) -> bytes:
    b = body_for(path, port)
    if b is None:
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n"
    policy = f"Content-Security-Policy: {real_pages.POLICY}\r\n" if path.startswith("/real/") else ""
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"
        b"Connection: keep-alive\r\n"
        + policy.encode()
        + b"Content-Length: "
        + str(len(b)).encode()
        + b"\r\n\r\n"
        + b
    )


def _serve_conn(c: socket.socket, port: int) -> None:
    c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    buf = b""
    try:
        while True:
            while b"\r\n\r\n" not in buf:
                d = c.recv(65536)
                if not d:
                    return
                buf += d
            head, buf = buf.split(b"\r\n\r\n", 1)
            path = head.split(b" ", 2)[1].decode("latin-1")
            c.sendall(response_for(path, port))
    except OSError:
        pass
    finally:
        c.close()


def serve(port: int) -> None:
    socks = []
    for fam, addr in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            s = socket.socket(fam, socket.SOCK_STREAM)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind((addr, port))
            s.listen(256)
            socks.append(s)
        except OSError:
            if fam == socket.AF_INET:
                raise

    def loop(s: socket.socket) -> None:
        while True:
            c, _ = s.accept()
            threading.Thread(target=_serve_conn, args=(c, port), daemon=True).start()

    for s in socks[1:]:
        threading.Thread(target=loop, args=(s,), daemon=True).start()
    print(f"serving {port}", flush=True)
    loop(socks[0])


if __name__ == "__main__":
    serve(int(sys.argv[1]))
