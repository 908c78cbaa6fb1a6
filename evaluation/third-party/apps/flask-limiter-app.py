"""The Pet Store Service on Flask with Flask-Limiter.

Reads its settings as one line of JSON on standard input and prints the port
that it listens on. With "configured", one limit covers the whole application,
Retry-After is a date, and a 429 has an Error as its body. Without it, the app
follows the quick start of Flask-Limiter, with one limit for each route.
"""

import json
import re
import sys

from flask import Flask, jsonify, request
from flask_limiter import Limiter
from werkzeug.serving import WSGIRequestHandler, make_server

SETTINGS = json.loads(sys.stdin.readline())
KEYS = set(SETTINGS["keys"])
CONFIGURED = SETTINGS["configured"]

app = Flask(__name__)


def caller():
    token = re.fullmatch(r"(?i:bearer) +(\S+)", request.headers.get("Authorization", ""))
    return token[1] if token and token[1] in KEYS else None


def limit():
    requests = SETTINGS["perMinute"] if caller() else SETTINGS["anonymousLimit"]
    return f"{requests} per {SETTINGS['windowSeconds']} seconds"


def error(status, code, message):
    return jsonify(code=code, message=message, status=status), status


Limiter(
    lambda: caller() or request.remote_addr,
    app=app,
    headers_enabled=True,
    storage_uri="memory://",
    **(
        {"application_limits": [limit], "retry_after": "http-date"}
        if CONFIGURED
        else {"default_limits": [limit]}
    ),
)

if CONFIGURED:

    @app.errorhandler(429)
    def too_many_requests(_error):
        return error(429, "too_many_requests", "Too many requests.")


# Registered after the limiter, which also counts before each request.
@app.before_request
def authenticate():
    if caller() is None:
        body, status = error(401, "unauthorized", "The API key is missing or invalid.")
        return body, status, {"WWW-Authenticate": "Bearer"}
    return None


categories = []


def problem(body):
    if not isinstance(body, dict):
        return "The body is not an object."
    if not isinstance(body.get("name"), str):
        return "name must be a string."
    if not isinstance(body.get("description", ""), str):
        return "description must be a string."
    return None


@app.get("/v1/categories")
def list_categories():
    return jsonify(categories)


@app.post("/v1/categories")
def create_category():
    body = request.get_json(force=True, silent=True)
    wrong = problem(body)
    if wrong is not None:
        return error(400, "invalid_category", wrong)
    category = {"id": len(categories) + 1}
    category.update((field, body[field]) for field in ("name", "description") if field in body)
    categories.append(category)
    return jsonify(category), 201


@app.get("/v1/store/orders")
def list_orders():
    return error(501, "not_implemented", "Not implemented yet.")


@app.get("/v1/pets/<pet_id>")
def find_pet(pet_id):
    return error(501, "not_implemented", f"Not implemented yet: pet {pet_id}.")


class QuietHandler(WSGIRequestHandler):
    """HTTP/1.1, without a log line for each request."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code="-", size="-"):
        pass


server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=QuietHandler)
print(server.port, flush=True)
server.serve_forever()
