"""The Pet Store Service with FastAPI, Pydantic, slowapi and SQLAlchemy."""

import html
import json
import math
import os
import time
import unicodedata

import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, model_validator
from slowapi import Limiter
from slowapi.errors import RateLimitExceeded
from slowapi.middleware import SlowAPIASGIMiddleware
from slowapi.util import get_remote_address
from sqlalchemy import Column, Float, Integer, MetaData, String, Table, create_engine, select
from sqlalchemy.pool import QueuePool
from starlette.exceptions import HTTPException

BREAK = os.environ["BREAK"]
KEYS = os.environ["KEYS"].split(",")
EXHAUSTED = os.environ["EXHAUSTED_KEY"]
MINUTE = f"{os.environ['PER_MINUTE']} per {os.environ['MINUTE_SECONDS']} seconds"
DAY = f"{os.environ['PER_DAY']} per {os.environ['DAY_SECONDS']} seconds"


def broken(*ids):
    return BREAK in ids


class NewCategory(BaseModel):
    model_config = ConfigDict(
        strict=not broken("numbers-coerced", "scalars-coerced"),
        coerce_numbers_to_str=broken("numbers-coerced", "scalars-coerced"),
        str_strip_whitespace=broken("blanks-stripped"),
        extra="allow" if broken("extra-fields-stored") else "ignore",
    )
    name: str
    description: str | None = None

    @model_validator(mode="before")
    @classmethod
    def no_null(cls, body):
        if isinstance(body, dict) and broken("scalars-coerced"):
            body = {k: str(v).lower() if isinstance(v, bool) else v for k, v in body.items()}
        return body


def error(status, code, message, headers=None):
    body = {"code": code, "message": message, "status": status}
    if broken("status-always-400"):
        body["status"] = 400
    if broken("code-is-number"):
        body["code"] = status
    return JSONResponse(body, status, headers)


def caller(request: Request):
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if broken("key-in-x-api-key") and not token:
        scheme, token = "bearer", request.headers.get("x-api-key", "")
    if broken("key-in-cookie") and not token:
        scheme, token = "bearer", request.cookies.get("api_key", "")
    if broken("basic-accepted") and scheme.lower() == "basic":
        return token if token in KEYS else KEYS[0]
    return token if scheme.lower() == "bearer" and token in [*KEYS, EXHAUSTED] else None


def limit_key(request: Request):
    if broken("limit-by-address"):
        return get_remote_address(request)
    if broken("limit-by-forwarded-for"):
        return request.headers.get("x-forwarded-for") or caller(request) or get_remote_address(request)
    return caller(request) or get_remote_address(request)


limits = [MINUTE] if broken("day-not-enforced") else [MINUTE, DAY]
limiter = Limiter(
    key_func=limit_key,
    headers_enabled=True,
    strategy="moving-window" if broken("moving-window") else "fixed-window",
    **({"default_limits": limits} if broken("limit-by-route") else {"application_limits": limits}),
)
app = FastAPI(redirect_slashes=broken("slashes-redirected"))
app.state.limiter = limiter


@app.exception_handler(RateLimitExceeded)
def rate_limited(request, exc):
    response = error(429, "rate_limited", f"Rate limit exceeded: {exc.detail}")
    if broken("headers-not-on-429"):
        return response
    response = limiter._inject_headers(response, request.state.view_rate_limit)
    if broken("retry-after-with-fraction"):
        response.headers["Retry-After"] = str(round(float(response.headers["X-RateLimit-Reset"]) - time.time(), 2))
    if broken("too-many-as-503"):
        response.status_code = 503
    return response


if not broken("validation-422"):

    @app.exception_handler(RequestValidationError)
    def invalid(_request, exc):
        return error(400, "invalid_category", str(exc.errors()[0]["msg"]))


if not broken("detail-bodies"):

    @app.exception_handler(HTTPException)
    def http_error(_request, exc):
        return error(exc.status_code, f"http_{exc.status_code}", str(exc.detail), exc.headers)


def authenticated(request: Request):
    if caller(request) is None:
        given = "authorization" in request.headers
        status = 403 if broken("missing-key-403") and not given or broken("wrong-key-403") and given else 401
        raise HTTPException(status, "The API key is missing or invalid.", {"WWW-Authenticate": "Bearer"})


name_type = String(collation="NOCASE") if broken("unique-nocase-500") else String()
categories = Table(
    "categories",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("name", name_type, unique=broken("unique-nocase-500")),
    Column("description", String),
    Column("made", Float, default=time.time),
)
pool = {"poolclass": QueuePool, "pool_size": 2, "max_overflow": 0, "pool_timeout": 0.01} if broken("pool-exhausted") else {}
engine = create_engine(f"sqlite:///{os.environ['SCRATCH']}/store.db", connect_args={"timeout": 30}, **pool)
categories.metadata.create_all(engine)
extras = {}
operations = [Depends(authenticated)]


def shown(row):
    category = {"id": row.id, "name": row.name, **extras.get(row.id, {})}
    if broken("ids-as-text"):
        category["id"] = str(row.id)
    if broken("ids-as-float"):
        category["id"] = float(row.id)
    if row.description is not None or broken("description-null"):
        category["description"] = row.description
    if row.description is None and broken("description-defaults-to-empty"):
        category["description"] = ""
    return category


@app.get("/v1/categories", dependencies=operations)
def list_categories():
    with engine.connect() as connection:
        if broken("pool-exhausted"):
            time.sleep(0.03)
        rows = connection.execute(select(categories)).all()
    if broken("replica-behind"):
        rows = [row for row in rows if row.made < time.time() - 3]
    if broken("soft-deleted-early"):
        rows = [row for row in rows if row.made > time.time() - 3]
    if broken("page-of-twenty-by-name"):
        rows = sorted(rows, key=lambda row: row.name)[:20]
    if broken("null-descriptions-filtered"):  # WHERE description <> '…' drops NULL
        rows = [row for row in rows if row.description is not None]
    return [shown(row) for row in rows]


def altered(name):
    if broken("name-html-escaped"):
        return html.escape(name)
    if broken("name-nfd"):
        return unicodedata.normalize("NFD", name)
    if broken("name-in-latin-1"):
        return name.encode("latin-1", "replace").decode("latin-1")
    if broken("name-title-case"):
        return name.title()
    if broken("astral-characters-dropped"):  # a column of three-byte UTF-8
        return "".join(c for c in name if ord(c) < 0x10000)
    return name


@app.post("/v1/categories", status_code=201, dependencies=operations)
def create_category(body: NewCategory):
    with engine.begin() as connection:
        values = {"name": altered(body.name), "description": body.description}
        if broken("extra-fields-stored") and isinstance((body.model_extra or {}).get("id"), int):
            values["id"] = body.model_extra["id"]
        made = connection.execute(categories.insert().values(**values)).inserted_primary_key[0]
        row = connection.execute(select(categories).where(categories.c.id == made)).one()
    if broken("extra-fields-stored"):
        extras[made] = {k: v for k, v in (body.model_extra or {}).items() if k != "id"}
    return shown(row) | ({"name": body.name} if broken("created-echoes-request") else {})


@app.get("/v1/store/orders", dependencies=[] if broken("orders-open") else operations)
def orders():
    return []


@app.get("/v1/pets/{pet_id}", deprecated=True, dependencies=operations)
def pet(pet_id: str):
    raise HTTPException(404, f"No pet {pet_id}.")


@app.api_route("/{path:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"], dependencies=operations)
def unknown(path: str):
    raise HTTPException(404, f"No operation {path}.")


app.add_middleware(SlowAPIASGIMiddleware)


class StoredBeforeValidated:
    """A creation is stored before it is validated."""

    def __init__(self, inner):
        self.inner = inner

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or scope["method"] != "POST" or caller(Request(scope)) is None:
            return await self.inner(scope, receive, send)
        message = await receive()
        try:
            with engine.begin() as connection:
                connection.execute(categories.insert().values(name=json.loads(message["body"])["name"]))
        except Exception:  # noqa: BLE001 - the handler answers
            pass

        async def again():
            return message

        return await self.inner(scope, again, send)


if broken("committed-before-validation"):
    app.add_middleware(StoredBeforeValidated)


class WholeSeconds:
    """slowapi's Reset has a fraction of a second."""

    def __init__(self, inner):
        self.inner = inner

    async def __call__(self, scope, receive, send):
        async def rounded(message):
            if message["type"] == "http.response.start" and not broken("reset-with-fraction"):
                message["headers"] = [(n, self.value(n, v)) for n, v in message["headers"]]
            await send(message)

        await self.inner(scope, receive, rounded)

    @staticmethod
    def value(name, value):
        if name.lower() != b"x-ratelimit-reset":
            return value
        reset = float(value)
        if broken("reset-in-milliseconds"):
            return str(int(reset * 1000)).encode()
        return str(math.ceil(reset - time.time() if broken("reset-as-seconds-left") else reset)).encode()


app.add_middleware(WholeSeconds)
for group in [*limiter._application_limits, *limiter._default_limits]:
    for one in group:
        if one.limit.amount == int(os.environ["PER_DAY"]):
            for _ in range(one.limit.amount):  # the day of this key is used
                limiter.limiter.hit(one.limit, EXHAUSTED, one.scope or "/v1/categories")

if __name__ == "__main__":
    workers = 2 if broken("two-workers") else 1
    target = "app:app" if workers > 1 else app
    uvicorn.run(target, host="127.0.0.1", port=int(os.environ["PORT"]), workers=workers, log_level="warning")
