"""A report as its reader sees it, with everything the browser complained about or asked the network for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # half a second for every worker that collects tests, and most never open a page
    from playwright.sync_api import Browser, Dialog, Locator

USUAL: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "locale": "en-US", "reduced_motion": "reduce"}
SLOWEST = 5_000


class Viewer:
    """One opened file: the page, the messages of its console, and the addresses it asked for."""

    def __init__(self, browser: Browser, path: Path, **context: Any) -> None:
        self.context = browser.new_context(**USUAL | context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(SLOWEST)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.refused: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("dialog", self._refuse)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", lambda request: self.refused.append(f"{request.failure}: {request.url}"))
        self.scripts = context.get("java_script_enabled", True)
        self.open(path)

    def open(self, path: Path) -> None:
        """Open a file in this window, and wait until it is drawn."""
        self.address = path.resolve().as_uri()
        self.page.goto(self.address)
        if self.scripts:
            self.page.wait_for_selector("body[data-ready]")

    def __call__(self, selector: str, has_text: str | None = None) -> Locator:
        return self.page.locator(selector, has_text=has_text)

    def section(self, name: str) -> Locator:
        """A part of the page by its name."""
        return self.page.locator(f'section[data-section="{name}"]')

    def asked_elsewhere(self) -> list[str]:
        """Every request for something else than the file itself."""
        return [url for url in self.requests if url.partition("#")[0] != self.address]

    def slips(self) -> list[str]:
        """Words that no reader should see: what a script makes of something that is not there."""
        return re.findall(r"\bnull\b|\bNaN\b|\bInfinity\b|\[object", self.page.locator("body").inner_text())

    def _refuse(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()
