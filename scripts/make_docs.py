"""Writes what the READMEs show but nobody should keep by hand: the metric table and the output of `pingce demo`.

`python scripts/make_docs.py` rewrites them; with `--check` it fails where they are out of date.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from pingce.catalogue import listing
from pingce.export import markdown
from pingce.language import Language, use_language

ROOT = Path(__file__).resolve().parent.parent
READMES: dict[str, Language] = {"README.md": "en", "README.zh-CN.md": "zh"}


def demo(lang: Language) -> str:
    """What `pingce demo` prints."""
    words = [sys.executable, "-m", "pingce", "demo", "--lang", lang]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=os.environ | {"NO_COLOR": "1"})
    return f"```text\n{done.stdout.strip()}\n```"


def metrics(lang: Language) -> str:
    """The table of metrics."""
    use_language(lang)
    return markdown(listing(), 4)


def filled(text: str, lang: Language) -> str:
    """The README with its generated parts."""
    for name, content in (("demo", demo(lang)), ("metrics", metrics(lang))):
        found = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text = found.sub(lambda match, content=content: f"{match[1]}{content}\n{match[2]}", text)  # type: ignore[misc]
    return text


def main() -> int:
    """Rewrite, or check; 1 if something is out of date."""
    stale = []
    for name, lang in READMES.items():
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        after = filled(before, lang)
        if after != before:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(after, encoding="utf-8")
    print(f"out of date: {', '.join(stale)}" if stale else "up to date")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
