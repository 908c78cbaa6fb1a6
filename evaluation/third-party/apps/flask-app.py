"""The Pet Store Service on Flask 3, conforming but for the fault that BREAK names."""

import os
import re
import time

from flask import Flask, Response, abort, request
from werkzeug.exceptions import HTTPException
from werkzeug.serving import make_server

fault = os.environ["BREAK"]
keys = os.environ["KEYS"].split(",")
per_minute = int(os.environ["PER_MINUTE"])
minute_seconds = int(os.environ["MINUTE_SECONDS"])
app = Flask(__name__)
categories = []
windows = {}


def error(status, code, message):
    return {"code": code, "message": message, "status": status}, status


def key_of():
    match = re.fullmatch(r"[Bb]earer +(\S+)", request.headers.get("Authorization", ""))
    return match[1] if match and match[1] in keys else None


@app.before_request
def limit_and_check():
    key = key_of()
    now = time.time()
    window = windows.get(key)
    if window is None or window["reset"] <= now:
        window = windows[key] = {"used": 0, "reset": now + minute_seconds}
    window["used"] += 1
    request.window = window
    request.left = (per_minute if key else 10000) - window["used"]
    if request.left < 0:
        return error(429, "too_many_requests", "Too many requests.")
    if key is None:
        return error(401, "unauthorized", "The API key is missing or invalid.")


@app.after_request
def headers(response: Response):
    window = request.window
    response.headers["X-RateLimit-Limit"] = str(per_minute)
    response.headers["X-RateLimit-Remaining"] = str(max(0, min(per_minute, request.left)))
    response.headers["X-RateLimit-Reset"] = str(int(window["reset"]) + 1)
    if response.status_code == 429:
        response.headers["Retry-After"] = str(int(window["reset"] - time.time()) + 1)
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


if fault != "html-error":

    @app.errorhandler(HTTPException)
    def as_json(exception):
        return error(exception.code, f"http_{exception.code}", exception.description)


@app.get("/v1/categories" + ("/" if fault == "slash-redirect" else ""))
def list_categories():
    return categories


@app.post("/v1/categories" + ("/" if fault == "slash-redirect" else ""))
def create_category():
    body = request.get_json(silent=True)
    fields = body if isinstance(body, dict) else {}
    if not isinstance(fields.get("name"), str) or not isinstance(fields.get("description", ""), str):
        abort(400)
    known = {name: fields[name] for name in ("name", "description") if name in fields}
    category = {"id": len(categories) + 1, **known}
    categories.append(category)
    return category if fault == "created-status" else (category, 201)


make_server("127.0.0.1", int(os.environ["PORT"]), app, threaded=True).serve_forever()
