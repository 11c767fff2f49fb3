"""Explanations as text, Markdown, LaTeX and HTML. Ids and labels are untrusted: every format shows them and runs nothing."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from pingce.base.errors import one_line
from pingce.base.latex import latex_document, latex_line, latex_text
from pingce.base.tables import Cell, markdown_text
from pingce.explanations.derivation import Readable
from pingce.explanations.layout import MARK, Block, Heading, PageTable, Paragraph, Sum, blocks


def _joined(
    page: Readable,
    places: int,
    write: Callable[[Block], str],
    closing: Callable[[str], str],
    *,
    close: tuple[type, ...] = (Sum,),
    between: str = "\n",
) -> str:
    """Lines of a calculation stand close together, everything else apart."""
    out: list[str] = []
    before: Block | None = None
    for part in page.parts():
        for block in blocks(part, places):
            near = isinstance(block, close) and type(block) is type(before)
            out.append(("" if not out else between if near else "\n\n") + write(block))
            before = block
        before = None
    last = page.closing()
    return "".join(out) + ("" if last is None else "\n\n" + closing(str(last)))


def text(page: Readable, places: int, *, fancy: bool = False) -> str:
    """For a terminal."""
    from pingce.base.terminal import draw, width

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
        return "\n".join([*filter(None, [one_line(content.title)]), *lines, *filter(None, [one_line(content.note)])])

    def write(block: Block) -> str:
        if isinstance(block, PageTable):
            return table(block)
        words = one_line(block.words)
        if isinstance(block, Heading):
            return f"{words}\n{'=' * width(words)}"
        return f"{MARK}{words}" if isinstance(block, Sum) and block.marked else words

    return _joined(page, places, write, one_line, close=(Sum, Paragraph))


def markdown(page: Readable, places: int) -> str:
    """Markdown."""

    def table(content: PageTable) -> str:
        def row(at: int) -> str:
            cells = [markdown_text(str(cell)) for cell in content.rows[at]]
            return _row([f"**{cell}**" if cell else cell for cell in cells] if at == content.marked else cells)

        head = [
            _row([markdown_text(title) for title in content.titles]),
            _row(["---" if w else "---:" for w in content.left]),
        ]
        lines = [*head, *(row(at) for at in range(len(content.rows)))]
        return _around(lines, markdown_text(content.title), markdown_text(content.note))

    def write(block: Block) -> str:
        if isinstance(block, PageTable):
            return table(block)
        words = markdown_text(block.words)
        if isinstance(block, Heading):
            return f"### {words}"
        if isinstance(block, Sum):
            return f"**{MARK}{words}**" if block.marked else f"**{words}**" if block.last else words
        return f"*{words}*" if block.note else words

    return _joined(page, places, write, markdown_text, between="  \n")


def _around(lines: list[str], title: str, note: str) -> str:
    """A table with its title above and its note below, where it has them."""
    return "\n".join([*([f"{title}\n"] if title else []), *lines, *([f"\n{note}"] if note else [])])


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def latex(page: Readable, places: int) -> str:
    """LaTeX, below a comment that says which packages it needs."""

    def cells(content: PageTable, at: int) -> str:
        row = [latex_text(str(cell)) for cell in content.rows[at]]
        if at in content.folds:
            return rf"\multicolumn{{{len(row)}}}{{c}}{{{row[0]}}} \\"
        if at == content.marked:
            row = [rf"\textbf{{{cell}}}" if cell else cell for cell in row]
        return " & ".join(row) + r" \\"

    def table(content: PageTable) -> str:
        columns = "".join("l" if words else "r" for words in content.left)
        head = " & ".join(map(latex_text, content.titles)) + r" \\"
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
        lines += [cells(content, at) for at in range(len(content.rows))]
        lines += [r"\bottomrule", r"\end{tabular}"]
        return _around(lines, latex_text(content.title), latex_text(content.note))

    def write(block: Block) -> str:
        if isinstance(block, PageTable):
            return table(block)
        words = latex_line(block.words)
        if isinstance(block, Heading):
            return rf"\subsection*{{{words}}}"
        if isinstance(block, Sum):
            mark = latex_text(MARK) if block.marked else ""
            return rf"{mark}\textbf{{{words}}}" if block.last or block.marked else words
        return rf"{{\small\raggedright {words}\par}}" if block.note else words

    return latex_document(_joined(page, places, write, latex_line, between="\\\\\n"))


def html(page: Readable, places: int) -> str:
    """A piece of HTML: no script, no style sheet of its own."""

    def safe(words: str) -> str:
        return escape(one_line(words))

    def row(content: PageTable, at: int) -> str:
        cells = content.rows[at]
        if at in content.folds:
            return f'<tr class="fold"><td colspan="{len(cells)}">{safe(str(cells[0]))}</td></tr>'
        kind = ' class="differs"' if at == content.marked else ""
        inside = "".join(_cell(cell, left=left) for cell, left in zip(cells, content.left, strict=True))
        return f"<tr{kind}>{inside}</tr>"

    def _cell(cell: Cell, *, left: bool) -> str:
        return f'<td style="text-align:{"left" if left else "right"}">{safe(str(cell))}</td>'

    def table(content: PageTable) -> str:
        head = "".join(f"<th>{safe(title)}</th>" for title in content.titles)
        body = "".join(row(content, at) for at in range(len(content.rows)))
        caption = f"<caption>{safe(content.title)}</caption>" if content.title else ""
        note = f"\n<p>{safe(content.note)}</p>" if content.note else ""
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"

    def write(block: Block) -> str:
        if isinstance(block, PageTable):
            return table(block)
        words = safe(block.words)
        if isinstance(block, Heading):
            return f"<h3>{words}</h3>"
        if isinstance(block, Sum):
            words = f"<strong>{words}</strong>" if block.last else words
            return f'<p class="differs"><mark>{words}</mark></p>' if block.marked else f"<p>{words}</p>"
        return f"<p><small>{words}</small></p>" if block.note else f"<p>{words}</p>"

    return f'<div class="pingce-explanation">\n{_joined(page, places, write, lambda words: f"<p>{safe(words)}</p>")}\n</div>'


_STYLE = (
    "body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;line-height:1.5}"
    "table{border-collapse:collapse;margin:1rem 0}caption{text-align:left;padding-bottom:.3rem}"
    "th,td{border-bottom:1px solid #8886;padding:.15rem .7rem;text-align:right}"
    ".fold td{text-align:center;opacity:.7}.differs td{background:#fd08}"
)


def web_page(page: Readable, places: int, lang: str) -> str:
    """A whole page, for a file of its own."""
    title = escape(one_line(page.parts()[0].explanation.metric))
    spoken = "zh-CN" if lang == "zh" else "en"
    head = f'<meta charset="utf-8">\n<title>{title}</title>\n<style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="{spoken}">\n<head>\n{head}\n</head>\n<body>\n{html(page, places)}\n</body>\n</html>'
