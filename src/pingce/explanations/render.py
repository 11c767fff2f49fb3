"""Explanations as text, Markdown, LaTeX and HTML. Ids and labels are untrusted: every format shows them and runs nothing."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from pingce.base import tables
from pingce.base.errors import one_line
from pingce.base.latex import latex_document, latex_line, latex_text
from pingce.base.records import dataclass
from pingce.base.tables import markdown_text
from pingce.explanations.derivation import Readable
from pingce.explanations.layout import MARK, Form, PageTable, blocks


@dataclass(frozen=True)
class _Style:
    """How a format writes tables, and words by their form: {} stands for them."""

    escape: Callable[[str], str]
    table: Callable[[PageTable], str]
    heading: str = "{}"
    note: str = "{}"
    last: str = "{}"
    marked: str = f"{MARK}{{}}"
    last_marked: str = ""
    sentence: str = "{}"
    close: tuple[str, ...] = ("sum",)
    "Kinds of words that stand close together; everything else stands apart."
    between: str = "\n"

    def words(self, words: str, form: Form = "sentence") -> str:
        template: str = getattr(self, form) or self.marked
        return template.replace("{}", self.escape(words))

    def page(self, page: Readable, places: int) -> str:
        """The explanations one after another, and the last sentence."""
        out: list[str] = []
        for part in page.parts():
            before = None
            for block in blocks(part, places):
                kind = None if isinstance(block, PageTable) else block.kind
                apart = self.between if kind in self.close and kind == before else "\n\n"
                content = self.table(block) if isinstance(block, PageTable) else self.words(block.words, block.form)
                out += [apart if out else "", content]
                before = kind
        last = page.closing()
        return "".join(out if last is None else [*out, "\n\n", self.words(str(last))])


def text(page: Readable, places: int, *, fancy: bool = False) -> str:
    """For a terminal."""
    from pingce.base.tables import draw, width

    def table(content: PageTable) -> str:
        rows = [list(row) for row in content.rows]
        sentences = {at: one_line(str(rows[at][0])) for at in content.folds}
        for at in content.folds:
            rows[at] = ["…"] * len(content.titles)
        lined = draw(PageTable(content.titles, rows, left=content.left), places, fancy=fancy)
        lines = [line for line in lined.split("\n") if line.strip()]
        if len(lines) == len(rows) + 2:  # a narrow terminal breaks rows: then the sign has to do
            for at, sentence in sentences.items():
                lines[at + 2] = sentence
        else:
            lines += list(sentences.values())
        return "\n".join(filter(None, [one_line(content.title), *lines, one_line(content.note)]))

    class Terminal(_Style):
        def words(self, words: str, form: Form = "sentence") -> str:
            line = super().words(words, form)
            return f"{line}\n{'=' * width(line)}" if form == "heading" else line

    return Terminal(one_line, table, close=("sum", "paragraph")).page(page, places)


def _around(lines: list[str], title: str, note: str) -> str:
    """A table with its title above and its note below, where it has them."""
    return "\n".join([*([f"{title}\n"] if title else []), *lines, *([f"\n{note}"] if note else [])])


def _markdown_table(content: PageTable) -> str:
    return _around([tables.markdown(content, -1)], markdown_text(content.title), markdown_text(content.note))


def _latex_table(content: PageTable) -> str:
    lines = tables.latex(content, -1).split("\n")
    for at in content.folds:  # below the head, which has four lines
        sentence = latex_text(str(content.rows[at][0]))
        lines[at + 4] = rf"\multicolumn{{{len(content.titles)}}}{{c}}{{{sentence}}} \\"
    return _around(lines, latex_text(content.title), latex_text(content.note))


def _safe(words: object) -> str:
    return escape(one_line(str(words)))


def _html_table(content: PageTable) -> str:
    def row(at: int) -> str:
        cells = content.rows[at]
        if at in content.folds:
            return f'<tr class="fold"><td colspan="{len(cells)}">{_safe(cells[0])}</td></tr>'
        sides = ("left" if left else "right" for left in content.left)
        inside = (f'<td style="text-align:{side}">{_safe(cell)}</td>' for cell, side in zip(cells, sides, strict=True))
        kind = ' class="differs"' if at == content.marked else ""
        return f"<tr{kind}>{''.join(inside)}</tr>"

    head = "".join(f"<th>{_safe(title)}</th>" for title in content.titles)
    body = "".join(row(at) for at in range(len(content.rows)))
    caption = f"<caption>{_safe(content.title)}</caption>" if content.title else ""
    note = f"\n<p>{_safe(content.note)}</p>" if content.note else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


_BOLD = r"\textbf{{}}"
_MARKDOWN = _Style(markdown_text, _markdown_table, "### {}", "*{}*", "**{}**", f"**{MARK}{{}}**", between="  \n")
_LATEX = _Style(
    latex_line,
    _latex_table,
    r"\subsection*{{}}",
    r"{\small\raggedright {}\par}",
    _BOLD,
    latex_text(MARK) + _BOLD,
    between="\\\\\n",
)
_HTML = _Style(
    _safe,
    _html_table,
    "<h3>{}</h3>",
    "<p><small>{}</small></p>",
    "<p><strong>{}</strong></p>",
    '<p class="differs"><mark>{}</mark></p>',
    '<p class="differs"><mark><strong>{}</strong></mark></p>',
    "<p>{}</p>",
)


def markdown(page: Readable, places: int) -> str:
    """Markdown."""
    return _MARKDOWN.page(page, places)


def latex(page: Readable, places: int) -> str:
    """LaTeX, below a comment that says which packages it needs."""
    return latex_document(_LATEX.page(page, places))


def html(page: Readable, places: int) -> str:
    """A piece of HTML: no script, no style sheet of its own."""
    return f'<div class="pingce-explanation">\n{_HTML.page(page, places)}\n</div>'


def notebook(page: Readable) -> str:
    """The calculation below its result, which folds it away."""
    results = "; ".join(
        f"{part.explanation.metric} = {part.explanation.value:.4f}, {part.explanation.subject}" for part in page.parts()
    )
    return f"<details open><summary>{_safe(results)}</summary>{html(page, 4)}</details>"


_CSS = (
    "body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;line-height:1.5}"
    "table{border-collapse:collapse;margin:1rem 0}caption{text-align:left;padding-bottom:.3rem}"
    "th,td{border-bottom:1px solid #8886;padding:.15rem .7rem;text-align:right}"
    ".fold td{text-align:center;opacity:.7}.differs td{background:#fd08}"
)


def web_page(page: Readable, places: int, lang: str) -> str:
    """A whole page, for a file of its own."""
    spoken = "zh-CN" if lang == "zh" else "en"
    head = f'<meta charset="utf-8">\n<title>{_safe(page.parts()[0].explanation.metric)}</title>\n<style>{_CSS}</style>'
    return f'<!doctype html>\n<html lang="{spoken}">\n<head>\n{head}\n</head>\n<body>\n{html(page, places)}\n</body>\n</html>'
