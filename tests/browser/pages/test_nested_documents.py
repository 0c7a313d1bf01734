"""Documents inside of others: each element of them is one element, however its document came to be."""

import pytest

PAGE = """<button>Top</button>
<iframe srcdoc="<button>Given</button><iframe srcdoc='<button>Deep</button>'></iframe>"></iframe>
<iframe id=blank></iframe>
<iframe sandbox=allow-scripts srcdoc="<button>Boxed</button>"></iframe>
<script>
  document.getElementById('blank').contentDocument.body.innerHTML = '<button>Written</button>'
</script>"""
BUTTONS = ("Top", "Given", "Deep", "Written", "Boxed")


@pytest.fixture
async def page(tab, site):
    await tab.goto(site.page(PAGE))
    for name in BUTTONS:
        await tab.wait_for(f"text={name}")
    return tab


async def test_they_are_counted_once(page):
    assert await page.get_count("button") == len(BUTTONS)


@pytest.mark.parametrize("name", BUTTONS)
async def test_a_name_leads_to_one_element_which_has_the_ref_of_the_snapshot(page, name):
    seen = (await page.snapshot()).text
    done = await page.click(f"text={name}")
    assert f'button "{name}" {done.target.split()[-1]}' in seen


@pytest.mark.parametrize("target", ["body", "html", ":root"])
async def test_the_whole_page_is_that_of_the_top_document(tab, site, target):
    elsewhere = site.page("<p>Elsewhere</p>").replace("127.0.0.1", "localhost")
    await tab.goto(site.page(f"<p>Here</p><iframe src='{elsewhere}'></iframe>"))
    await tab.wait_for("text=Elsewhere")
    assert await tab.get_count(target) == 2
    assert await tab.get_text(target) == "Here"


@pytest.mark.parametrize("name", BUTTONS)
async def test_keys_are_said_to_go_where_the_focus_is(page, name):
    given = await page.focus(f"text={name}")
    assert (await page.press("Shift")).target == given.target
