"""The Pet Store Service with Flask, Flask-SQLAlchemy, marshmallow and Flask-Limiter, under gunicorn."""

import os
import random
import sys
import threading
import time

from flask import Flask, g, jsonify, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_sqlalchemy import SQLAlchemy
from limits import parse
from marshmallow import EXCLUDE, INCLUDE, RAISE, Schema, ValidationError, fields, pre_load, validate
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.pool import QueuePool
from werkzeug.exceptions import HTTPException

BREAK = os.environ["BREAK"]
SECONDS = os.environ["MINUTE_SECONDS"]
MINUTE = f"{os.environ['PER_MINUTE']} per {SECONDS} seconds"
DAY = f"{os.environ['PER_DAY']} per {os.environ['DAY_SECONDS']} seconds"
EXHAUSTED = os.environ["EXHAUSTED_KEY"]
KEYS = {*os.environ["KEYS"].split(","), EXHAUSTED}


def broken(*ids):
    return BREAK in ids


app = Flask(__name__)
app.config["SQLALCHEMY_DATABASE_URI"] = f"sqlite:///{os.environ['SCRATCH']}/store.db"
pool = {"connect_args": {"timeout": 5}}
if broken("connections-leak-on-400"):
    pool |= {"poolclass": QueuePool, "pool_size": 5, "max_overflow": 5, "pool_timeout": 0.3}
app.config["SQLALCHEMY_ENGINE_OPTIONS"] = pool
app.json.ensure_ascii = not broken("utf-8-in-json")
app.json.compact = not broken("pretty-printed")
db = SQLAlchemy(app)
UNIQUE = broken("unique-409", "unique-400", "unique-in-any-case", "session-not-rolled-back")


class Category(db.Model):
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(db.String(collation="NOCASE" if broken("unique-in-any-case") else None), unique=UNIQUE)
    description: Mapped[str | None]
    made: Mapped[float] = mapped_column(default=time.time)


with app.app_context():

    @event.listens_for(db.engine, "connect")
    def connected(connection, _record):
        connection.execute("PRAGMA journal_mode=WAL")

    for _ in range(20):
        try:
            db.create_all()
            break
        except Exception:  # noqa: BLE001 - another worker creates the table
            time.sleep(0.1)

NAME_RULES = [
    *([validate.Length(3, 30)] if broken("length-3-to-30") else []),
    *([validate.Regexp(r"^[A-Za-z][A-Za-z0-9 -]*$")] if broken("letters-digits-blanks") else []),
]


class NewCategory(Schema):
    class Meta:
        unknown = RAISE if broken("unknown-raise") else INCLUDE if broken("unknown-included") else EXCLUDE

    name = fields.String(required=not broken("partial"), validate=NAME_RULES, allow_none=broken("name-allow-none"))
    if broken("description-raw"):
        description = fields.Raw()
    elif broken("description-defaulted"):
        description = fields.String(load_default="No description")
    else:
        description = fields.String(allow_none=True)

    @pre_load
    def trimmed(self, data, **_kwargs):
        if broken("trimmed") and isinstance(data, dict):
            return {k: v.strip() if isinstance(v, str) else v for k, v in data.items()}
        return data


class Shown(Schema):
    id = fields.Integer()
    name = fields.String()
    description = fields.String()


def shown(one):
    category = Shown().dump(one)
    if category["description"] is None and not broken("null-dumped"):
        del category["description"]
    return category


def caller():
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() in KEYS else None


first_plan = []


def minute():
    if broken("plan-of-first-caller"):  # functools.cache on a function without arguments
        first_plan or first_plan.append(f"30 per {SECONDS} seconds" if caller() is None else MINUTE)
        return first_plan[0]
    return MINUTE


limits = [minute, DAY]
scopes = {"application_limits": limits}
if broken("limits-per-view"):
    scopes = {"default_limits": limits}
if broken("limits-per-method"):
    scopes = {"default_limits": limits, "default_limits_per_method": True}
if broken("not-counted-unless-ok"):
    scopes["application_limits_deduct_when"] = lambda response: response.status_code < 400
limiter = Limiter(
    lambda: caller() or get_remote_address(),
    strategy="moving-window" if broken("moving-window") else "sliding-window-counter" if broken("sliding-counter") else "fixed-window",
    storage_uri="memory://",
    headers_enabled=True,
    retry_after="http-date" if broken("retry-after-date") else "delta-seconds",
    **scopes,
)
slots = threading.BoundedSemaphore(4)


@app.before_request
def overloaded():
    if not broken("overload-503"):
        return None
    g.slot = slots.acquire(blocking=False)
    return None if g.slot else error(503, "overloaded", "Too many requests at the same time.", {"Retry-After": "1"})


@app.teardown_request
def freed(_error):
    if g.pop("slot", False):
        slots.release()


def authenticate():
    if request.method == "OPTIONS" and broken("preflight-open") or caller() is not None:
        return None
    return error(401, "unauthorized", "The API key is missing or invalid.", {"WWW-Authenticate": "Bearer"})


if broken("guard-before-limiter"):
    app.before_request(authenticate)
limiter.init_app(app)
app.before_request(authenticate)


def error(status, code, message, headers=None):
    response = jsonify({"code": code, "message": message, "status": status})
    response.headers.extend(headers or {})
    response.status_code = status
    return response


@app.errorhandler(HTTPException)
def http_error(exc):
    if exc.code == 429 and broken("page-on-429"):
        return exc
    if exc.code == 429 and broken("too-many-as-503"):
        return error(503, "unavailable", "Too many requests.")
    return error(exc.code, exc.name.lower().replace(" ", "_"), str(exc.description))


leaked = []


@app.errorhandler(ValidationError)
def invalid(exc):
    if broken("connections-leak-on-400"):
        leaked.append(db.engine.raw_connection())
    return error(400, "invalid_category", f"Invalid: {exc.messages}")


@app.errorhandler(Exception)
def failed(_exc):
    return error(500, "internal_error", "Something went wrong.")


PATH = "/v1/categories/" if broken("slash-at-end") else "/v1/categories"


@app.get(PATH)
def list_categories():
    if broken("overload-503"):
        time.sleep(0.02)
    query = db.select(Category).order_by(Category.id)
    if broken("lagging-replica"):
        query = query.where(Category.made < time.time() - 0.3)
    if broken("inner-limit"):
        query = query.limit(18)
    if not broken("paginated"):
        return jsonify([shown(one) for one in db.session.scalars(query)])
    page = db.paginate(query, per_page=8)
    response = jsonify([shown(one) for one in page.items])
    if page.has_next:
        response.headers["Link"] = f'</v1/categories?page={page.next_num}>; rel="next"'
    return response


@app.post(PATH)
def create_category():
    body = request.get_json(silent=broken("silent"))
    if broken("bulk") and isinstance(body, list):
        made = [Category(**one) for one in NewCategory(many=True).load(body)]
        db.session.add_all(made)
        db.session.commit()
        return jsonify([shown(one) for one in made]), 201
    known = {"name", "description", *(["id"] if broken("unknown-included") else [])}
    one = Category(**{k: v for k, v in NewCategory().load(body).items() if k in known})
    if broken("ids-random"):
        one.id = random.getrandbits(62)
    if broken("id-is-max-plus-one"):
        one.id = (db.session.scalar(db.select(db.func.max(Category.id))) or 0) + 1
        time.sleep(0.005)
    db.session.add(one)
    try:
        db.session.flush()
    except IntegrityError:
        if broken("session-not-rolled-back"):
            raise
        db.session.rollback()
        return error(400 if broken("unique-400") else 409, "name_taken", "A category has this name.")
    response = shown(one)
    if broken("flushed-only") and one.description is None:
        db.session.rollback()
    db.session.commit()
    return jsonify(response), 201


if broken("session-not-rolled-back"):
    app.teardown_appcontext_funcs.clear()  # without remove() the session of a thread stays


@app.get("/v1/store/orders")
def orders():
    return jsonify([])


@app.route("/<path:path>", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
def unknown(path):
    return error(404, "not_found", f"There is no {path}.")


@app.after_request
def negotiated(response):
    if request.headers.get("Accept") == "*/*" and broken("not-acceptable"):
        response.status_code = 406
    if request.headers.get("Accept") == "*/*" and response.status_code == 200 and broken("xml-for-any"):
        response.headers["Content-Type"] = "application/xml"
        response.set_data("<categories/>")
    return response


with app.app_context():
    limiter.limiter.hit(parse(DAY), EXHAUSTED, "global", cost=int(os.environ["PER_DAY"]))  # the day of this key is used

if __name__ == "__main__":
    how = ["-k", "sync"] if broken("sync-worker") else ["-k", "gthread", "--threads", "8"]
    workers = ["-w", "3" if broken("workers") else "1", *(["--max-requests", "25"] if broken("recycled") else [])]
    address = ["-b", f"127.0.0.1:{os.environ['PORT']}", "--log-level", "critical"]
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", *workers, *how, *address, "app:app"])
