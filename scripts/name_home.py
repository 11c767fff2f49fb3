"""Writes the addresses of a release, `[project.urls]`, into pyproject.toml: those of the repository that builds it.

    python scripts/name_home.py https://example.org/team/pingce

A copy that is built elsewhere so never carries another's addresses.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
PAGES = {
    "Homepage": "",
    "Documentation": "/blob/{tag}/docs/index.md",
    "Documentation (中文)": "/blob/{tag}/docs/index.zh-CN.md",
    "Source": "/tree/{tag}",
    "Changelog": "/blob/{tag}/CHANGELOG.md",
    "Issues": "/issues",
}
_ADDRESS = re.compile(r"https://[\w.-]+(?:/[\w.-]+)+")


def with_addresses(project: str, home: str, version: str) -> str:
    """The text of pyproject.toml with the addresses of `home`, at the tag of this version."""
    home = home.rstrip("/")
    if not _ADDRESS.fullmatch(home):
        raise SystemExit(f"{home!r} is no address of a repository: https://HOST/OWNER/NAME")
    if "\n[project.urls]\n" in project:
        raise SystemExit("pyproject.toml has [project.urls] already: take it out, or leave it as it is")
    lines = [f'"{name}" = "{home}{page.format(tag=f"v{version}")}"' for name, page in PAGES.items()]
    table = "\n".join(["[project.urls]", *lines])
    return project.replace("\n[project.scripts]\n", f"\n{table}\n\n[project.scripts]\n", 1)


def main() -> None:
    """Rewrites pyproject.toml in place, for the address of the command line."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    (version,) = re.findall(
        r'^__version__ = "(.*)"$', (PROJECT.parent / "src/pingce/__init__.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    text = with_addresses(PROJECT.read_text(encoding="utf-8"), sys.argv[1], version)
    PROJECT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
