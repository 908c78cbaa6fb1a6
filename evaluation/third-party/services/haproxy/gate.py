"""The configuration of HAProxy: stick tables count the requests of each key, and of each address without one."""

import json
import os

BREAK = os.environ.get("BREAK", "")
KEYS = os.environ["KEYS"].split(",")
SPENT = os.environ["EXHAUSTED_KEY"]
LIMIT, DAY = int(os.environ["PER_MINUTE"]), int(os.environ["PER_DAY"])
WINDOW, DAY_SECONDS = int(os.environ["MINUTE_SECONDS"]), int(os.environ["DAY_SECONDS"])


def when(break_id, broken, usual):
    return broken if BREAK == break_id else usual


def error(status, code, message):
    text = json.dumps({"code": code, "message": message, "status": status})
    return f"status {status} content-type application/json string '{text}'"


def tracking():
    key = "req.fhdr(authorization),word(2,' ')"
    source = "src" if BREAK == "tracked-by-source" else when("tracked-by-url", "base", key)
    only = when("only-gets-tracked", " METH_GET", "")
    return f"http-request track-sc0 {source} table minute if known{only}"


def refusal():
    answer = error(429, "rate_limited", "Too many requests.")
    wait = WINDOW + max(1, WINDOW // 20)  # the sliding counter still holds nearly all of it after one window
    wait = int(when("retry-after-one-second", "1", when("retry-after-one-window", str(WINDOW), str(wait))))
    returned = f"http-request return {answer} hdr Retry-After {wait}"
    if BREAK == "deny-as-shipped":
        return "http-request deny deny_status 429"
    if BREAK == "deny-is-403":
        return "http-request deny"
    if BREAK == "tarpit":
        return "http-request tarpit"
    if BREAK == "reject-connection":
        return "http-request reject"
    if BREAK == "silent-drop":
        return "http-request silent-drop"
    return returned


def minute_table():
    kind = "type ip" if BREAK == "tracked-by-source" else "type string len 128"
    size = when("table-of-one", "1", "100k")
    expire = when("entries-expire-when-idle", "1s", f"{WINDOW * 2}s")
    period = when("period-halved", f"{WINDOW * 500}ms", f"{WINDOW}s")
    return f"stick-table {kind} size {size} expire {expire} store http_req_rate({period})"


def headers():
    rule = "http-response" if BREAK == "headers-from-the-backend-only" else "http-after-response"
    remaining = when("remaining-not-clamped", "var(txn.unclamped)", "var(txn.left)")
    reset = when("reset-always-now", "date()", f"date({WINDOW})")
    lines = [
        f"{rule} set-header X-RateLimit-Limit %[var(txn.limit)]",
        f"{rule} set-header X-RateLimit-Remaining %[{remaining}]",
        f"{rule} set-header X-RateLimit-Reset %[var(txn.reset)]",
    ]
    if BREAK == "headers-added-by-both":
        lines.append(f"{rule} add-header X-RateLimit-Remaining %[{remaining}]")
    before = [f"http-request set-var(txn.reset) {reset}", f"http-request set-var(txn.limit) int({LIMIT})"]
    return before, lines


def configuration(store_port):
    before, after = headers()
    used = "sc_http_req_rate(0)"
    beyond = when("one-too-many", f"gt {LIMIT + 1}", when("one-too-few", f"gt {LIMIT - 1}", f"gt {LIMIT}"))
    over = f"{{ {used} {beyond} }}"
    refuse = refusal()
    return "\n".join(
        [
            "defaults",
            "  mode http",
            "  timeout connect 5s",
            "  timeout client 60s",
            "  timeout server 60s",
            "  timeout tarpit 1s",
            "backend minute",
            f"  {minute_table()}",
            "backend addresses",
            f"  stick-table type ip size 100k expire {WINDOW * 2}s store http_req_rate({WINDOW}s)",
            "backend day",
            f"  stick-table type string len 128 size 100k expire {DAY_SECONDS}s store http_req_rate({DAY_SECONDS}s)",
            "frontend service",
            f"  bind 127.0.0.1:{os.environ['PORT']}",
            f"  acl known req.fhdr(authorization),word(2,' ') -m str {' '.join([*KEYS, SPENT])}",
            "  acl bearer req.fhdr(authorization) -m beg -i 'bearer '",
            "  acl twice req.fhdr_cnt(authorization) gt 1",
            "  acl three req.fhdr(authorization),field(3,' ') -m found",
            f"  acl spent req.fhdr(authorization),word(2,' ') -m str {SPENT}",
            *[f"  {line}" for line in before],
            f"  {tracking()}",
            "  http-request track-sc0 src table addresses if !known",
            "  http-request track-sc1 req.fhdr(authorization),word(2,' ') table day if known",
            f"  http-request set-var(txn.used) {used}",
            f"  http-request set-var(txn.unclamped) int({LIMIT}),sub(txn.used)",
            "  http-request set-var(txn.left) var(txn.unclamped)",
            f"  http-request set-var(txn.left) int(0) if {over}",
            "  http-request set-var(txn.left) int(0) if { var(txn.unclamped) -m int lt 0 }",
            f"  {refuse} if {over}",
            f"  http-request set-var(txn.limit) int({DAY}) if spent",
            "  http-request set-var(txn.left) int(0) if spent",
            f"  http-request set-var(txn.reset) date({DAY_SECONDS}) if spent",
            f"  http-request return {error(429, 'day_exhausted', 'Too many requests.')} hdr Retry-After {DAY_SECONDS} "
            + f"if spent || {{ sc_http_req_rate(1) gt {DAY} }}",
            f"  http-request return {error(401, 'unauthorized', 'The API key is missing or invalid.')} "
            + "hdr WWW-Authenticate Bearer if !known || !bearer || twice || three",
            *[f"  {line}" for line in after],
            "  acl dated res.hdr(date) -m found",
            *when("no-date", [], ["  http-after-response set-header Date %[date,http_date] unless dated"]),
            "  default_backend store",
            "backend store",
            f"  server store 127.0.0.1:{store_port}",
            "",
        ]
    )
