"""The pictures of the report that the READMEs show: `make screenshots` writes docs/images/report-*.png from the demo's data."""

from __future__ import annotations

import shutil
import sys
from io import BytesIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

import numpy as np
from PIL import Image

import pingce as pc
from pingce.base.text import LANGUAGES, Language, Text, use_language

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
DEMO = ROOT / "src" / "pingce" / "demo"
LARGEST = 300_000
COLOURS = 256
"Enough for hairlines, text and a few hues; a picture of a page needs no more."
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH, HEIGHT = 1180, 1240

RANKING = Text("Handwritten digits: pixels or 8 components?", "手写数字检索：原始像素还是 8 个主成分？")
CLICKS = Text("Click prediction: two models", "点击预估：两个模型")


def ranking(path: Path) -> None:
    """Image retrieval, two runs."""
    runs = {name: str(DEMO / f"{name}.run.gz") for name in ("pixels", "pca8")}
    pc.report(str(DEMO / "digits.qrels.gz"), runs, path=path, title=str(RANKING))


def clicks(path: Path) -> None:
    """Click prediction, two models."""
    import pyarrow.parquet

    log = pyarrow.parquet.read_table(DEMO / "ctr_log.parquet")
    models = {name: log[name] for name in ("pctr_a", "pctr_b")}
    pc.report(log["click"], models, task="binary", group=log["user_id"], path=path, title=str(CLICKS))


def show_query(page: Page) -> None:
    """The query on which the models differ most, opened."""
    page.locator("tr[data-query]").first.click()
    page.locator('section[data-section="queries"]').scroll_into_view_if_needed()
    page.locator("#queries-title").evaluate("title => title.scrollIntoView()")


def show_threshold(page: Page) -> None:
    """The panel at the best F1."""
    page.locator('[data-preset="max_f1"]').first.click()
    page.locator("#threshold-title").evaluate("title => title.scrollIntoView()")


VIEWS = {
    "ranking": (ranking, None),
    "queries": (ranking, show_query),
    "clicks": (clicks, None),
    "threshold": (clicks, show_threshold),
}


def small(picture: bytes) -> bytes:
    """The same with a palette of its commonest colours, which stay as they are: paper, ink, accents."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    colours, counts = np.unique(np.asarray(image).reshape(-1, 3), axis=0, return_counts=True)
    common = colours[np.argsort(-counts, kind="stable")[:COLOURS]]
    palette = Image.new("P", (1, 1))
    palette.putpalette(common.ravel().tolist())
    packed = BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def taken(browser: Browser, folder: Path, view: str, lang: Language, scheme: Literal["light", "dark"]) -> bytes:
    """One view of one report, as it would be seen."""
    write, prepare = VIEWS[view]
    use_language(lang)
    path = folder / f"{write.__name__}-{lang}.html"
    if not path.exists():
        write(path)
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme, reduced_motion="reduce")
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]")
    if prepare is not None:
        prepare(page)
    picture = page.screenshot(animations="disabled")
    page.close()
    return small(picture)


def main() -> int:
    """Write every picture; fail where one is too large to show."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        print("there is no chromium on this machine: make browser installs it where it can", file=sys.stderr)
        return 1
    IMAGES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for view, lang, scheme in product(VIEWS, LANGUAGES, SCHEMES):
            picture = taken(browser, Path(folder), view, lang, scheme)
            path = IMAGES / f"report-{view}-{lang}-{scheme}.png"
            path.write_bytes(picture)
            print(f"{path.relative_to(ROOT)}: {len(picture):,} bytes")
            if len(picture) > LARGEST:
                print(f"{path.name} is larger than {LARGEST:,} bytes", file=sys.stderr)
                return 1
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
