"""What is known about the styles of a page is dropped when they change: a mark for hidden text is never out of date."""

import itertools

import pytest

MARK = "hidden-looking"
MANY = "".join(f".unused-{number}{{color:red}}" for number in range(90))
"""So many rules that the text of the style element is read, and not each rule."""
BODY = "<main><button class=a>Ghost</button><button class=b>Plain</button></main>"

CHANGES = {
    "a class": ("<style>.gone{opacity:0}</style>", "document.querySelector('.a').classList.add('gone')"),
    "a class of an ancestor": (
        "<style>.gone .a{opacity:0}</style>",
        "document.querySelector('main').className = 'gone'",
    ),
    "an attribute": (
        "<style>[data-off]{opacity:0}</style>",
        "document.querySelector('.a').dataset.off = ''",
    ),
    "an inline style": ("", "document.querySelector('.a').style.opacity = 0"),
    "an attribute of size": (
        "<style>button{overflow:hidden}</style>",
        "document.querySelector('.a').style.cssText = 'block-size:0;border:0;padding:0'",
    ),
    "insertRule": (
        "<style>.a{color:black}</style>",
        "document.styleSheets[0].insertRule('.a{opacity:0}')",
    ),
    "a rule in place of another": (
        "<style>.a{color:black}</style>",
        "document.styleSheets[0].deleteRule(0); document.styleSheets[0].insertRule('.a{opacity:0}')",
    ),
    "a rule that is edited": (
        "<style>.a{color:black}</style>",
        "document.styleSheets[0].cssRules[0].style.opacity = 0",
    ),
    "a selector that is edited": (
        "<style>.other{opacity:0}</style>",
        "document.styleSheets[0].cssRules[0].selectorText = '.a'",
    ),
    "another text of a style element": (
        "<style>.a{color:black}</style>",
        "document.querySelector('style').textContent = '.a{opacity:0}'",
    ),
    "a sheet that is enabled": (
        "<style media=print>.a{opacity:0}</style>",
        "document.querySelector('style').media = 'all'",
    ),
    "an adopted sheet": (
        "",
        "const s = new CSSStyleSheet(); s.replaceSync('.a{opacity:0}'); document.adoptedStyleSheets = [s]",
    ),
    "an adopted sheet with other rules": (
        "<script>const s = new CSSStyleSheet(); s.replaceSync('.a{color:black}'); document.adoptedStyleSheets = [s]</script>",
        "document.adoptedStyleSheets[0].replaceSync('.a{opacity:0}')",
    ),
    "a CSS animation": (
        "<style>@keyframes fade{to{opacity:0}} .fading{animation:fade 1ms forwards}</style>",
        "document.querySelector('.a').classList.add('fading'); await document.querySelector('.a').getAnimations()[0].finished",
    ),
    "an animation of a script": (
        "",
        "await document.querySelector('.a').animate({opacity: [1, 0]}, {duration: 1, fill: 'forwards'}).finished",
    ),
    "a container query": (
        "<style>main{container-type:inline-size} @container (max-width: 300px){.a{opacity:0}}</style>",
        "document.querySelector('main').style.width = '200px'",
    ),
    "a checked box elsewhere": (
        "<style>body:has(input:checked) .a{opacity:0}</style>",
        "document.body.insertAdjacentHTML('beforeend', '<input type=checkbox checked>')",
    ),
}


@pytest.fixture
def tab(lasting_tab):
    return lasting_tab


async def marked(tab):
    """Whether the first button is marked as hidden; the second one never is."""
    text = str(await tab.snapshot(budget=None, fold=False))
    ghost = next(line for line in text.splitlines() if "Ghost" in line)
    plain = next(line for line in text.splitlines() if "Plain" in line)
    assert MARK not in plain, text
    return MARK in ghost


@pytest.mark.parametrize("change", CHANGES)
async def test_text_that_a_change_hides_is_marked_at_once(tab, site, change):
    head, script = CHANGES[change]
    await tab.goto(site.page(BODY, head=head))
    assert not await marked(tab)
    await tab.evaluate(f"async () => {{ {script} }}")
    assert await marked(tab)


async def test_an_edited_rule_among_many_is_noticed_when_its_turn_comes(tab, site):
    await tab.goto(site.page(BODY, head=f"<style>{MANY}.a{{color:black}}</style>"))
    assert not await marked(tab)
    await tab.evaluate("document.styleSheets[0].cssRules[90].style.opacity = 0")
    assert [await marked(tab) for _ in range(3)][-1]


IDLE = "() => new Promise(done => { let left = 80; const next = () => left-- ? requestIdleCallback(next) : done(); next() })"


async def test_an_edited_rule_among_a_thousand_is_noticed_once_the_page_was_idle_after_a_snapshot(tab, site):
    rules = "".join(f".unused-{number}{{color:red}}" for number in range(1_000))
    await tab.goto(site.page(BODY, head=f"<style>{rules}.a{{color:black}}</style>"))
    assert not await marked(tab)
    await tab.evaluate(IDLE)
    await tab.evaluate("document.styleSheets[0].cssRules[1000].style.opacity = 0")
    await marked(tab)
    await tab.evaluate(IDLE)
    assert await marked(tab)


async def test_a_rule_for_the_mouse_counts_while_it_is_there(tab, site):
    await tab.goto(site.page(BODY, head="<style>main:hover .a{opacity:0}</style>"))
    assert not await marked(tab)
    await tab.hover("role=button[name='Plain']")
    assert await marked(tab)
    await tab.mouse_move(600, 500)
    assert not await marked(tab)


async def test_a_rule_for_another_window_size_counts_from_then_on(browser, site):
    tab = await browser.open(site.page(BODY, head="<style>@media (max-width: 500px){.a{opacity:0}}</style>"))
    assert not await marked(tab)
    await tab.set_viewport(400, 300)
    assert await marked(tab)
    await tab.close()


_numbers = itertools.count()


def foreign_sheet(site, text):
    """Serve a stylesheet on another origin: scripts of the page cannot read it."""
    name = f"given/sheet-{next(_numbers)}.css"
    site._given[name] = ("text/css", text.encode())
    return f"{site.other_origin}/{name}", name


async def test_a_stylesheet_of_another_origin_is_known(tab, site):
    url, _name = foreign_sheet(site, ".a{opacity:0}")
    await tab.goto(site.page(BODY, head=f"<link rel=stylesheet href={url}>"))
    assert await marked(tab)
    assert (
        await tab.evaluate(
            "() => { try { return document.styleSheets[0].cssRules.length } catch { return -1 } }"
        )
        == -1
    )


async def test_a_stylesheet_that_is_loaded_again_with_another_text_is_known_too(tab, site):
    url, name = foreign_sheet(site, ".b{color:black}")
    await tab.goto(site.page(BODY, head=f"<link rel=stylesheet href={url}>"))
    assert not await marked(tab)
    site._given[name] = ("text/css", b".a{opacity:0}")
    link = f"const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = {url!r}; document.head.append(l);"
    await tab.evaluate(f"async () => {{ {link} await new Promise(done => l.onload = done) }}")
    assert await marked(tab)


async def test_a_sheet_behind_a_redirect_or_an_import_hides_text_too(tab, site):
    url, _name = foreign_sheet(site, ".a{opacity:0}")
    redirect = f"{site.other_origin}/redirect?to={url}"
    await tab.goto(site.page(BODY, head=f"<link rel=stylesheet href='{redirect}'>"))
    assert await marked(tab)
    importing, _name = foreign_sheet(site, f"@import '{url}';")
    await tab.goto(site.page(BODY, head=f"<link rel=stylesheet href={importing}>"))
    assert await marked(tab)


async def test_a_sheet_that_fails_hides_nothing_and_an_import_that_fails_does_not_excuse_the_rest(tab, site):
    missing = f"{site.other_origin}/empty?"
    await tab.goto(site.page(BODY, head=f"<link rel=stylesheet href={missing}>"))
    assert not await marked(tab)
    half, _name = foreign_sheet(site, f"@import '{missing}'; .a{{opacity:0}}")
    await tab.goto(site.page(BODY, head=f"<link rel=stylesheet href={half}>"))
    assert await marked(tab)


async def test_a_sheet_is_not_called_empty_because_the_same_url_failed_after_its_own_request_left_the_log(
    browser, site
):
    url, _name = foreign_sheet(site, ".a{opacity:0}")
    tab = await browser.open(site.page(BODY, head=f"<link rel=stylesheet href={url}>"))
    await tab.evaluate("async () => { for (let i = 0; i < 600; i++) await fetch('/nothing?' + i) }")
    await tab.network_route(url, abort=True)
    link = f"const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = {url!r}; document.head.append(l);"
    await tab.evaluate(f"async () => {{ {link} await new Promise(done => l.onerror = done) }}")
    await tab.network_unroute()  # other tabs of the browser have the same routes
    assert await marked(tab)
    await tab.close()


async def test_a_frame_may_have_received_another_sheet_for_the_same_url(tab, site):
    url, name = foreign_sheet(site, ".b{color:black}")
    head = f"<link rel=stylesheet href={url}>"
    inner = site.page("<button class=a>Inner</button>", head=head)
    await tab.goto(site.page(BODY, head=head))
    site._given[name] = ("text/css", b".a{opacity:0}")
    frame = f"const f = document.createElement('iframe'); f.src = {inner!r}; document.body.append(f);"
    await tab.evaluate(f"async () => {{ {frame} await new Promise(done => f.onload = done) }}")
    for _ in range(2):  # what the first one finds unknown is asked before the second
        text = str(await tab.snapshot(budget=None, fold=False))
        assert MARK in next(line for line in text.splitlines() if "Inner" in line), text
