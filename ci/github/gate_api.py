"""GitHub's API, asked with the token of the job."""

from __future__ import annotations

import http.client
import json
import urllib.request
import zipfile
from typing import Any

from gate_runner import setting

TROUBLE = (OSError, http.client.HTTPException, KeyError, TypeError, ValueError, zipfile.BadZipFile)
"What a network, or an answer of another shape, may end in."


class WithoutToken(urllib.request.HTTPRedirectHandler):
    """Archives lie at another host, which must not get the token."""

    def redirect_request(self, *args: Any) -> urllib.request.Request | None:
        """The next request, without what was meant for the first host."""
        request = super().redirect_request(*args)
        if request is not None:
            request.headers.pop("Authorization", None)
        return request


def ask(path: str, method: str = "GET", body: Any = None) -> bytes:
    """The answer of GitHub's API."""
    url = path if "://" in path else f"{setting('GITHUB_API_URL')}/repos/{setting('GITHUB_REPOSITORY')}/{path}"
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), method=method)
    request.add_header("Accept", "application/vnd.github+json")
    request.add_header("Authorization", f"Bearer {setting('TOKEN')}")
    with urllib.request.build_opener(WithoutToken).open(request, timeout=60) as answer:
        content: bytes = answer.read()
    return content
