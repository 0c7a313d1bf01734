"""Mouse and keyboard one event at a time: what pages receive, what stays down, and when it is released."""

import pytest

import boathook
from boathook.errors import BadRequest, BadSetting
from tests.support.chromium import foreign_chromium, port_of

CANVAS = """<body style='margin:0'><canvas id=c width=600 height=400></canvas><script>
window.heard = [];
for (const type of ['mousemove', 'mousedown', 'mouseup', 'dblclick', 'wheel', 'contextmenu']) {
  c.addEventListener(type, event => {
    heard.push([type, event.clientX, event.clientY, event.buttons, event.shiftKey, event.isTrusted]);
    event.preventDefault();
  });
}
</script>"""
KEYS = """<textarea id=t autofocus></textarea><script>
window.heard = [];
for (const type of ['keydown', 'keyup']) addEventListener(type, event => heard.push([type, event.key, event.code, event.shiftKey, event.repeat]));
</script>"""


async def test_a_hand_moves_on_a_bent_line_that_its_seed_repeats(tab, site):
    lines = []
    for seed in (7, 7, 8):
        await tab.goto(site.page(CANVAS))
        await tab.mouse_move(100, 100)
        await tab.evaluate("heard.length = 0")
        await tab.mouse_move(500, 300, human=True, seed=seed, steps=12, duration=60)
        lines.append([tuple(event[1:3]) for event in await tab.evaluate("heard")])
    first, again, other = lines
    assert first == again
    assert first != other
    assert (len(first), first[-1]) == (12, (500, 300))
    assert any(abs((y - 100) * 2 - (x - 100)) > 4 for x, y in first), "not on the straight line"


@pytest.mark.parametrize(("human", "moves"), [(True, 3), (False, 0)], ids=["by hand", "control"])
async def test_a_click_and_a_drag_may_come_as_a_hand_does(tab, site, human, moves):
    page = "<div id=d style='position:absolute;left:400px;top:200px;width:50px;height:50px;background:red'></div>"
    await tab.goto(
        site.page(
            f"<body style='margin:0'>{page}<script>window.heard = [];"
            "for (const type of ['mousemove', 'mousedown', 'mouseup']) addEventListener(type, event => heard.push(type));</script>"
        )
    )
    await tab.click("#d", human=human)
    heard = await tab.evaluate("heard.splice(0)")
    assert heard[-2:] == ["mousedown", "mouseup"]
    assert heard.index("mousedown") > moves
    assert (heard.index("mousedown") > 1) is human
    await tab.drag("#d", offset=(90, 0), human=human)
    heard = await tab.evaluate("heard")
    assert heard[-1] == "mouseup"
    assert "mousemove" in heard[heard.index("mousedown") : -1]


async def test_a_move_that_takes_time_has_a_step_for_each_frame(tab, site):
    await tab.goto(site.page(CANVAS))
    await tab.mouse_move(100, 100)
    await tab.evaluate("heard.length = 0")
    await tab.mouse_move(200, 100, duration=80)
    heard = await tab.evaluate("heard")
    assert [event[1] for event in heard] == [120, 140, 160, 180, 200]
    with pytest.raises(BadRequest):
        await tab.mouse_move(10, 10, duration=10_001)


async def test_a_line_is_drawn_on_a_canvas_with_the_button_held(tab, site):
    await tab.goto(site.page(CANVAS))
    await tab.mouse_move(100, 100)
    await tab.mouse_down()
    await tab.mouse_move(200, 150, steps=5)
    done = await tab.mouse_up()
    heard = await tab.evaluate("heard")
    assert [event[0] for event in heard] == ["mousemove", "mousedown", *["mousemove"] * 5, "mouseup"]
    assert heard[1][1:4] == [100, 100, 1]
    assert [event[1:4] for event in heard[2:7]][::2] == [[120, 110, 1], [160, 130, 1], [200, 150, 1]]
    assert heard[-1][1:4] == [200, 150, 0]
    assert all(event[5] for event in heard)
    assert "left button up: at 200,150" in str(done)


async def test_a_press_and_a_release_click_and_the_change_is_reported(tab, site):
    await tab.goto(
        site.page(
            "<body style='margin:0'><button style='width:200px;height:100px' onclick='this.textContent = `Done`'>Go</button>"
        )
    )
    await tab.mouse_move(50, 50)
    down = await tab.mouse_down()
    assert "Done" not in str(down)
    assert "Done" in str(await tab.mouse_up())


async def test_two_presses_make_a_double_click_and_the_right_button_a_menu(tab, site):
    await tab.goto(site.page(CANVAS))
    await tab.mouse_move(10, 10)
    for clicks in (1, 2):
        await tab.mouse_down(clicks=clicks)
        await tab.mouse_up()
    await tab.mouse_down("right")
    await tab.mouse_up("right")
    kinds = [event[0] for event in await tab.evaluate("heard")]
    assert kinds.count("dblclick") == 1
    assert "contextmenu" in kinds


async def test_the_wheel_turns_over_what_lies_under_the_mouse(tab, site):
    await tab.goto(
        site.page(
            "<body style='margin:0'><div id=box style='width:200px;height:200px;overflow:auto'><p style='height:2000px'>long</p></div><p style='height:3000px'>page</p>"
        )
    )
    await tab.mouse_move(100, 100)
    await tab.mouse_wheel(300)
    await tab.wait_for_function("box.scrollTop === 300")
    assert await tab.evaluate("scrollY") == 0
    await tab.mouse_move(600, 100)
    await tab.mouse_wheel(250)
    await tab.wait_for_function("scrollY === 250")


async def test_things_that_html_drags_are_carried_and_dropped(tab, site):
    await tab.goto(
        site.page("""<body style='margin:0'><div id=a draggable=true style='width:100px;height:100px;background:red'>Thing</div>
<div id=b style='position:absolute;left:300px;top:0;width:200px;height:200px'>Box</div><script>
a.ondragstart = event => event.dataTransfer.setData('text/plain', 'the thing');
b.ondragover = event => event.preventDefault();
b.ondrop = event => { b.textContent = 'got ' + event.dataTransfer.getData('text/plain'); };
</script>""")
    )
    await tab.mouse_move(50, 50)
    await tab.mouse_down()
    await tab.mouse_move(70, 60, steps=3)
    await tab.mouse_move(400, 100, steps=5)
    await tab.mouse_up()
    await tab.wait_for("#b", state="text", text="got the thing")


async def test_keys_go_down_repeat_and_come_up(tab, site):
    await tab.goto(site.page(KEYS))
    await tab.focus("#t")  # autofocus comes with the first picture, which may be later
    await tab.key_down("Shift")
    await tab.key_down("a")
    await tab.key_down("a")
    await tab.key_up("a")
    await tab.key_up("Shift")
    await tab.key_down("b")
    await tab.key_up("b")
    assert await tab.evaluate("t.value") == "AAb"
    assert await tab.evaluate("heard") == [
        ["keydown", "Shift", "ShiftLeft", True, False],
        ["keydown", "A", "KeyA", True, False],
        ["keydown", "A", "KeyA", True, True],
        ["keyup", "A", "KeyA", True, False],
        ["keyup", "Shift", "ShiftLeft", False, False],
        ["keydown", "b", "KeyB", False, False],
        ["keyup", "b", "KeyB", False, False],
    ]


async def test_held_modifiers_go_with_the_mouse(tab, site):
    await tab.goto(site.page(CANVAS))
    await tab.mouse_move(10, 10)
    await tab.key_down("Shift")
    await tab.mouse_down()
    await tab.mouse_up()
    await tab.key_up("Shift")
    await tab.mouse_move(20, 20)
    heard = await tab.evaluate("heard.map(event => event[4])")
    assert heard == [False, True, True, False]


async def test_text_is_inserted_without_keys(tab, site):
    await tab.goto(site.page(KEYS))
    await tab.focus("#t")  # autofocus comes with the first picture, which may be later
    await tab.insert_text("grüße 👋 שלום")
    assert await tab.evaluate("t.value") == "grüße 👋 שלום"
    assert await tab.evaluate("heard") == []


async def test_a_ready_made_action_lets_go_of_what_is_held_and_says_so(tab, site):
    await tab.goto(
        site.page(
            "<body style='margin:0'><button id=b style='position:absolute;left:300px;top:300px'>Go</button>"
            + KEYS
            + CANVAS.replace("window.heard = [];", "")
        )
    )
    await tab.key_down("Shift")
    await tab.mouse_move(400, 100)
    await tab.mouse_down()
    assert await tab.evaluate("1 + 1") == 2, "scripts and looks let things be"
    await tab.snapshot()
    await tab.mouse_move(401, 101)
    done = await tab.click("#b")
    assert "released ShiftLeft and the left button first" in str(done)
    kinds = [event[0] for event in await tab.evaluate("heard")]
    assert kinds.count("keyup") == 1
    assert kinds.count("mouseup") >= 1
    assert await tab.evaluate("heard.filter(event => event[0] === 'keyup')[0][1]") == "Shift"
    with pytest.raises(BadRequest, match="not down"):
        await tab.mouse_up()


async def test_impossible_gestures_are_refused(tab, site):
    await tab.goto(site.page(CANVAS))
    with pytest.raises(BadRequest, match="mouse position not set"):
        await tab.mouse_down()
    await tab.mouse_move(1, 1)
    with pytest.raises(BadRequest, match="not down"):
        await tab.mouse_up()
    with pytest.raises(BadRequest, match="not down"):
        await tab.key_up("a")
    with pytest.raises(BadRequest, match="unknown key"):
        await tab.key_down("Nonesuch")
    with pytest.raises(BadSetting):
        await tab.mouse_down("fourth")
    with pytest.raises(BadSetting):
        await tab.mouse_move(1, 1, steps=0)
    for wrong in (float("nan"), "1", None):
        with pytest.raises(BadRequest):
            await tab.mouse_move(wrong, 1)
    await tab.mouse_down()
    with pytest.raises(BadRequest, match="already"):
        await tab.mouse_down()


async def test_a_dialog_that_a_release_opens_does_not_hang(tab, site):
    await tab.goto(
        site.page(
            "<body style='margin:0'><button style='width:200px;height:100px' onclick='window.sure = confirm(`Sure?`)'>Go</button>"
        )
    )
    await tab.mouse_move(50, 50)
    await tab.mouse_down()
    done = await tab.mouse_up()
    assert "confirm dialog is open" in str(done)
    await tab.answer_dialog(accept=True)
    assert await tab.evaluate("sure") is True


async def test_leaving_a_browser_of_somebody_elses_lets_go_in_their_tab(site):
    with foreign_chromium() as (_process, profile):
        port = await port_of(profile)
        async with await boathook.attach(port) as mine:
            theirs = await mine.tab((await mine.pages())[0].target_id)
            await theirs.goto(site.page(KEYS + CANVAS.replace("window.heard = [];", "")))
            await theirs.mouse_move(20, 100)
            await theirs.mouse_down()
        async with await boathook.attach(port) as mine:
            theirs = await mine.tab((await mine.pages())[0].target_id)
            assert [event[0] for event in await theirs.evaluate("heard")][-1] == "mouseup"


async def test_a_key_is_pressed_as_often_as_asked(tab, site):
    await tab.goto(
        site.page("<input id=a value=abcdef><script>a.focus(); a.setSelectionRange(0, 0)</script>")
    )
    await tab.press("ArrowRight", repeat=4)
    assert await tab.evaluate("a.selectionStart") == 4
    await tab.press("ArrowRight")
    assert await tab.evaluate("a.selectionStart") == 5
