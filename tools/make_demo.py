"""Makes the recording and the images of docs/images again, with boathook on the ticket desk: `python -m tools.make_demo`.

Requires ffmpeg, or `pip install imageio-ffmpeg`. Look at the images before they are committed.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from examples.ticket_desk.demo import SITE, served
from PIL import Image

import boathook
from boathook.engine.capture.video.ffmpeg import find_ffmpeg

if TYPE_CHECKING:
    from boathook import Tab

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
VIEWPORT = (760, 480)
VIDEO_RATE = 12
ANIMATION_RATE = 6
ANIMATION_WIDTH = 640
MOST_IMAGE_BYTES = 60_000
MOST_ANIMATION_BYTES = 400_000
COLORS = 64
"""Of an image: the site has flat colors."""
WIDEST = 900
PALETTE = (
    f"fps={ANIMATION_RATE},scale={ANIMATION_WIDTH}:-1:flags=lanczos,split[seen][colored];"
    "[seen]palettegen=max_colors=64[palette];[colored][palette]paletteuse=dither=none:diff_mode=rectangle"
)
PACE_SECONDS = 0.7
"""Between actions, so that a viewer can follow them."""
STEPS: tuple[tuple[str, ...], ...] = (
    ("fill", "label=Search", "printer is out"),
    ("click", "text=Find"),
    ("click", "css=tbody tr:first-child td:last-child button:first-child"),
    ("click", "text=New ticket"),
    ("fill", "label=Subject", "Projector shows no picture"),
    ("fill", "label=What happened", "It hums, then it goes dark."),
    ("check", "label=Today"),
    ("fill", "label=Due", "2027-01-15"),
    ("click", "text=Send ticket"),
)


HIDE_SYMBOLS = (
    "for (const symbols of document.querySelectorAll('svg[hidden]')) symbols.style.display = 'none'"
)
"""Chromium gives a hidden SVG its place: the list would begin below a large gap."""


async def open_list(tab: Tab, *, origin: str) -> None:
    """Open the list of tickets."""
    await tab.goto(f"{origin}/index.html")
    await tab.evaluate(HIDE_SYMBOLS)


async def record_demo(tab: Tab, *, scratch: Path) -> None:
    """Record a task; the animation is what GitHub and the docs site show, the contact sheet is another image."""
    video = scratch / "demo.webm"
    await tab.record_start(
        video, fps=VIDEO_RATE, cursor=True, marks=True, contact_sheet=True, contact_sheet_threshold=0.01
    )
    for method, *arguments in STEPS:
        await asyncio.sleep(PACE_SECONDS)
        await getattr(tab, method)(*arguments)
    await asyncio.sleep(3 * PACE_SECONDS)
    done = await tab.record_stop()
    program = await asyncio.to_thread(find_ffmpeg)
    animate = [
        program,
        "-y",
        "-loglevel",
        "error",
        "-i",
        str(video),
        "-vf",
        PALETTE,
        str(IMAGES / "demo.gif"),
    ]
    await asyncio.to_thread(subprocess.run, animate, check=True)
    if done.contact_sheet is None:
        raise RuntimeError("the recording has no contact sheet")
    keep_small(Path(done.contact_sheet), name="contact-sheet.png")


async def show_page(tab: Tab, *, scratch: Path) -> None:
    """The page with refs, with a grid, and compared with itself after a search."""
    await tab.screenshot(scratch / "annotated.png", annotate=True)
    await tab.screenshot(scratch / "grid.png", grid=100)
    await tab.screenshot(scratch / "before.png")
    await tab.fill("label=Search", "scanner")
    await tab.click("text=Find")
    await tab.diff_screenshot(baseline=scratch / "before.png", path=scratch / "difference.png")
    for name in ("annotated.png", "grid.png", "difference.png"):
        keep_small(scratch / name, name=name)


async def show_report(tab: Tab, *, origin: str, scratch: Path) -> None:
    """The HTML report of a check with one failure, opened as a page."""
    report = scratch / "report.html"
    await tab.qa(f"{origin}/new.html", text=("New ticket", "Refund"), html=report, timeout=4)
    with served(scratch) as reports:
        await tab.goto(f"{reports}/{report.name}")
        await tab.screenshot(scratch / "qa-report.png")
    keep_small(scratch / "qa-report.png", name="qa-report.png")


def keep_small(made: Path, *, name: str) -> None:
    """Write an image with a palette into the docs."""
    with Image.open(made) as image:
        image.thumbnail((WIDEST, WIDEST), Image.Resampling.LANCZOS)
        image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


def check_sizes() -> list[str]:
    """What is larger than a page of the docs should load."""
    limits = {".png": MOST_IMAGE_BYTES, ".gif": MOST_ANIMATION_BYTES}
    made = ("demo.gif", "contact-sheet.png", "annotated.png", "grid.png", "difference.png", "qa-report.png")
    sizes = {name: (IMAGES / name).stat().st_size for name in made}
    for name, size in sizes.items():
        print(f"{name}: {size} bytes")
    return [name for name, size in sizes.items() if size > limits[Path(name).suffix]]


async def main() -> int:
    """Make them all."""
    with TemporaryDirectory() as folder, served(SITE) as origin:
        scratch = Path(folder)
        async with await boathook.launch() as browser:
            tab = await browser.open("about:blank")
            await tab.set_viewport(*VIEWPORT)
            await open_list(tab, origin=origin)
            await record_demo(tab, scratch=scratch)
            await open_list(tab, origin=origin)
            await show_page(tab, scratch=scratch)
            await show_report(tab, origin=origin, scratch=scratch)
    large = check_sizes()
    for name in large:
        print(f"too large: {name}")
    return 1 if large else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
