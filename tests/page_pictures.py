"""The pictures of the page in docs/: `python -m tests.page_pictures docs`.

They are made by the page itself: two moments, light and dark, and a short animation of a carry that travels. Fonts
are those of the machine (Debian's fonts-inter and fonts-jetbrains-mono for those that are committed).
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser import PATIENCE, open_browser, serve

HUNDRED = "1234567890" * 10 + "*" + "1234567890" * 10
_FLIGHT = (40, 130, 220, 290)  # milliseconds of an animation at which a picture is taken
_SET_TIME = "(time) => document.getAnimations().forEach((each) => { each.pause(); each.currentTime = time; })"
_STEPS = 14


def visit(browser: Browser, address: str, theme: str, at: str, size: tuple[int, int]) -> Page:
    """A window at a moment of a run."""
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)  # type: ignore[arg-type]
    page.goto(address)
    expect(page.locator(".machine")).to_have_attribute("data-at", at, timeout=PATIENCE)
    page.wait_for_timeout(600)
    return page


def take(page: Page, palette: Image.Image | None = None) -> Image.Image:
    """What is to be seen now, in few colours; all frames of an animation in the same, so that little changes."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return picture.quantize(96 if palette is None else 40, palette=palette, dither=Image.Dither.NONE)


def animate(page: Page) -> tuple[list[Image.Image], list[int]]:
    """Steps with what moves between them, and how long each picture stays."""
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(800)
    palette = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(40, dither=Image.Dither.NONE)
    frames, times = [take(page, palette)], [1_200]
    for _ in range(_STEPS):
        page.keyboard.press("ArrowRight")
        page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
        for time in _FLIGHT:
            page.evaluate(_SET_TIME, time)
            frames.append(take(page, palette))
            times.append(60)
        page.evaluate("document.getAnimations().forEach((each) => each.finish())")
        page.wait_for_timeout(50)
        frames.append(take(page, palette))
        times.append(1_000)
    return frames, times


def main(folder: Path) -> None:
    """Write all three."""
    around = ".top, .controls, .options, .atlas, .panels, .bottom"  # left out of the animation
    with serve() as address, open_browser() as browser:
        page = visit(browser, f"{address}#e=12*(3+45)&at=5", "light", "5", (1280, 820))
        take(page).save(folder / "page-light.png", optimize=True)
        page = visit(browser, f"{address}#e={HUNDRED}&at=41009", "dark", "41009", (1280, 820))
        take(page).save(folder / "page-dark.png", optimize=True)
        page = visit(browser, f"{address}#e=95+7", "light", "0", (640, 590))
        page.evaluate("(names) => document.querySelectorAll(names).forEach((each) => each.remove())", around)
        page.evaluate("document.body.style.paddingTop = '1rem'")
        (first, *rest), times = animate(page)
        first.save(
            folder / "page.gif", save_all=True, append_images=rest, duration=times, loop=0, optimize=True
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
