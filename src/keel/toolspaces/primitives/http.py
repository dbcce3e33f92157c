"""The primitive `http_client`: one request over HTTP, and its response.

Only https is used, and plain HTTP to this machine; a redirect is followed only where the settings say so, and checked
like the first address. A response is read up to a limit. The library httpx comes with an extra; making jobs is left to
`jobs.py`.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from keel.toolspaces.extras import ExtraMissing, needed
from keel.toolspaces.jobs import JSON, OUTPUTS, Job, Outcome, answer_of
from keel.toolspaces.templates import TemplateError, filled, text_of

TIMEOUT, MAX_TIMEOUT = 30.0, 3600.0
RETRIES, MAX_RETRIES = 2, 10
MAX_REDIRECTS = 5
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
REPEATABLE = ("GET", "HEAD", "PUT", "DELETE", "OPTIONS")
"""Methods that do the same when done twice: only these are tried again."""
BUSY = (429, 502, 503, 504)
PAUSE = 0.2
"""Seconds before the first repetition; each further one waits twice as long."""


class Refused(Exception):
    """An address that is refused; the message says why."""


def perform(job: Job) -> Outcome:
    """Sends the request of a job and hands back the answer."""
    try:
        httpx: Any = needed("httpx", "the primitive http_client")
    except ExtraMissing as missing:
        raise job.problem(str(missing)) from missing
    job.one_of("output", OUTPUTS)
    request = _request(job)
    method = request["method"]
    tries = 1 + (job.whole("retries", RETRIES, MAX_RETRIES) if method in REPEATABLE else 0)
    most, allows = job.limit, job.flag("allow_http")
    deadline = time.monotonic() + job.number("timeout", TIMEOUT, MAX_TIMEOUT)
    outcome = Outcome(success=False, error="not asked")
    for number in range(tries):
        if number:
            time.sleep(min(PAUSE * 2 ** (number - 1), max(0.0, deadline - time.monotonic())))
        try:
            outcome, is_busy = _once(httpx, job, request, most, allows, deadline)
        except Refused as refused:
            raise job.problem(str(refused)) from refused
        except httpx.HTTPError as error:
            outcome, is_busy = Outcome(success=False, error=f"{type(error).__name__}: {error}"), True
        except (httpx.InvalidURL, UnicodeError, ValueError) as error:
            raise job.problem(f"the request cannot be made: {error}") from error
        if not is_busy or time.monotonic() >= deadline:
            break
    return outcome


def _once(
    httpx: Any, job: Job, request: Mapping[str, Any], most: int, allows: bool, deadline: float
) -> tuple[Outcome, bool]:
    """One try: its outcome, and whether another one may fare better."""

    def guard(sent: Any) -> None:
        _check(str(sent.url), allows)

    left = max(0.001, deadline - time.monotonic())
    # Settings in the environment and in files of the user (proxies, .netrc) are not the tool's.
    with (
        httpx.Client(
            timeout=left,
            trust_env=False,
            follow_redirects=job.flag("follow_redirects"),
            max_redirects=MAX_REDIRECTS,
            event_hooks={"request": [guard]},
        ) as client,
        client.stream(**request) as response,
    ):
        body, total = bytearray(), 0
        for piece in response.iter_bytes():  # as it arrives, or a slow server would hold up the deadline
            total += len(piece)
            body += piece[: max(0, most - len(body))]
            if total > most:
                break
            if time.monotonic() >= deadline:
                raise httpx.ReadTimeout("the answer did not end in time")
        return _outcome(job, response, bytes(body), total > most), response.status_code in BUSY


def _outcome(job: Job, response: Any, body: bytes, is_cut: bool) -> Outcome:
    text = body.decode(response.encoding or "utf-8", "replace")
    fine = 200 <= response.status_code < 300
    answer, unread = answer_of(job, text) if fine or job.config.get("output") != JSON else (text, "")
    data = {"status": response.status_code, "headers": dict(response.headers), "body": answer}
    error = unread if fine else f"HTTP {response.status_code} {response.reason_phrase}".rstrip()
    warnings = (f"the answer is cut after {len(body):,} bytes",) if is_cut else ()
    return Outcome(success=not error, data=data, error=error, warnings=warnings)


def _request(job: Job) -> dict[str, Any]:
    """What is sent: the settings, with parameters in their places."""
    request: dict[str, Any] = {
        "method": job.one_of("method", METHODS),
        "url": _address(job),
        "headers": job.table("headers"),
        "params": job.table("query") or None,
    }
    if "json" in job.config:
        request["json"] = job.params if job.config["json"] is True else job.config["json"]
    elif "body" in job.config:
        request["content"] = job.text("body").encode()
    return request


def _address(job: Job) -> str:
    """The address. A parameter in it is one piece of it, whatever it holds; only alone can it be the whole."""
    template = job.config.get("url")
    if not isinstance(template, str) or not template:
        raise job.problem("CONFIG names no url")
    name = template[1:-1]
    if template == f"{{{name}}}" and isinstance(job.values.get(name), str):
        return str(job.values[name])
    quoted = {key: quote(text_of(value), safe="") for key, value in job.values.items()}
    try:
        return filled(template, quoted)
    except TemplateError as error:
        raise job.problem(f"CONFIG: url: {error}") from error


def _check(address: str, allows: bool) -> None:
    """Refuses an address that is neither https nor on this machine."""
    parts = urlsplit(address)
    if parts.scheme == "https" or (parts.scheme == "http" and (allows or _is_here(parts.hostname or ""))):
        return
    raise Refused(
        f"{parts.scheme}://{parts.hostname} is neither https nor on this machine; CONFIG allow_http allows it"
    )


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
