"""How the documentation is built from the Markdown beside this file: `make docs`.

Sphinx with MyST and the theme Furo: nothing is fetched from elsewhere, so that the result can
be read offline, at a server's /help or on any static host.
"""

import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

project = "Kwartet"
author = "the Kwartet project"
language = "en"

extensions = ["myst_parser", "reference", "own_files"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # the anchors that a forge gives its headings, too
suppress_warnings = [
    "ref.python",  # two modules may have a class by the same name
    "misc.highlighting_failure",  # an example of JSON may leave out something with …
]
add_module_names = False
toc_object_entries = False  # a page lists its names itself, in less than their many lines

html_theme = "furo"
html_title = "Kwartet"
html_favicon = "../web/public/icon.svg"
html_static_path = ["_static"]
html_css_files = ["kwartet.css"]
html_js_files = ["search-box.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {"footer_icons": [], "sidebar_hide_name": False, "top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

TRANSLATED = re.compile(r"rules/(nl|de|fr)/")


def _tell_language(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Say what language the rules are in, for who has them read aloud."""
    if found := TRANSLATED.match(pagename):
        context["body"] = f'<div lang="{found[1]}">{context["body"]}</div>'


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("html-page-context", _tell_language)
