"""`pingce explain METRIC …`: the worked calculation, of files and a query, or of numbers written on the command line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from typing import Any

from pingce.api import explain
from pingce.base.text import language
from pingce.cli.explain_inputs import explain_arguments
from pingce.cli.options import stated
from pingce.cli.output import chosen_format, write
from pingce.explanations.derivation import Readable


def show(metric: str, files: tuple[str, ...], **options: Any) -> Readable:
    """Read, work out, write; what was written goes back to the caller."""
    out_format = chosen_format(options, "explain")
    written = stated(options, "explain")
    policies = {option.name: options[option.name] for option in written if option.place.startswith("policies.")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tools = {name: options[name] for name in ("convention", "against")}
        explanation = explain(metric, **explain_arguments(metric, files, options), **tools, **policies)
    write(_rendered(explanation, out_format, options), options["output"])
    return explanation


def _rendered(explanation: Readable, out_format: str, options: Mapping[str, Any]) -> str:
    places = options["places"]
    if out_format == "html":
        from pingce.explanations.render import web_page

        return web_page(explanation, places, language())
    if out_format == "text":
        return explanation.to_text(places, fancy=options["output"] is None and sys.stdout.isatty())
    if out_format == "json":
        return explanation.to_json()
    return explanation.to_markdown(places) if out_format == "md" else explanation.to_latex(places)
