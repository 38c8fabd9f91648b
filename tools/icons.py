"""Draws the icons of the installed page from web/public/icon.svg, into the same folder.

Phones cut icons to a circle or a square of their own: the maskable one keeps the sign within the
middle four fifths, Apple's has no corners of its own. The badge is what a status bar shows.
"""

from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

import web

PUBLIC: Final = web.WEB / "public"
PAPER: Final = "#f4efe6"
WHITE: Final = "filter: brightness(0) invert(1)"
# By file: edge in pixels, the sign's share of it, the ground, the ground's corners, a filter.
ICONS: Final = {
    "icon-192.png": (192, 0.74, PAPER, "22%", ""),
    "icon-512.png": (512, 0.74, PAPER, "22%", ""),
    "icon-maskable-512.png": (512, 0.56, PAPER, "0", ""),
    "apple-touch-icon.png": (180, 0.7, PAPER, "0", ""),
    "badge-96.png": (96, 0.9, "transparent", "0", WHITE),
}


def draw(browser: Browser, file: Path) -> None:
    """One icon."""
    edge, share, ground, corners, look = ICONS[file.name]
    sign = (PUBLIC / "icon.svg").read_text()
    page = browser.new_page(viewport={"width": edge, "height": edge})
    page.set_content(
        f"<style>body {{ margin: 0 }} div {{ width: {edge}px; height: {edge}px; display: grid;"
        f" place-items: center; background: {ground}; border-radius: {corners}; {look} }}"
        f"svg {{ width: {share:.0%} }}</style><div>{sign}</div>"
    )
    page.screenshot(path=file, omit_background=True)
    page.close()


if __name__ == "__main__":
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**web.browser_launch())
        for name in ICONS:
            draw(browser, PUBLIC / name)
        browser.close()
