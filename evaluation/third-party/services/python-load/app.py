"""The Pet Store Service on asyncio alone, and a switch for faults that show only under load."""

import asyncio
import json
import os
from email.utils import formatdate

from limits import KEYS, PER_MINUTE, Limits
from pressure import Pressure

FAULT = os.environ["BREAK"]
REASONS = {200: "OK", 201: "Created", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
           404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable"}


class Store:
    def __init__(self):
        self.categories = []
        self.attempts = 0

    async def create(self, raw):
        try:
            given = json.loads(raw)
        except ValueError:
            return error(400, "invalid_json", "The body is not JSON.")
        if not isinstance(given, dict) or not isinstance(given.get("name"), str):
            return error(400, "invalid_category", "name must be a string.")
        if not isinstance(given.get("description", ""), str):
            return error(400, "invalid_category", "description must be a string.")
        self.attempts += 1
        made = {"id": len(self.categories) + 1, "name": given["name"]}
        if "description" in given:
            made["description"] = given["description"]
        if FAULT == "ids-repeated":  # numbered by what was read before the insertion
            await asyncio.sleep(0.5)
        self.categories.append(made)
        if FAULT == "creations-mixed-up":  # kept in one place for all requests
            await asyncio.sleep(0.3)
            return 201, self.categories[-1]
        if FAULT == "third-creation-crashes" and self.attempts % 3 == 0:
            return error(500, "internal", "The creation failed.")
        return 201, made


def error(status, code, message):
    return status, {"code": code, "message": message, "status": status}


def key_of(headers):
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key if scheme.lower() == "bearer" and key in KEYS else None


class Service:
    def __init__(self):
        self.store = Store()
        self.pressure = Pressure(FAULT, PER_MINUTE)
        self.limits = Limits(FAULT, self.pressure)

    async def respond(self, method, path, headers, raw):
        """The status, the headers and the body of a response."""
        key = key_of(headers)
        harm = self.pressure.arrive(key)
        if harm.delay > 0:
            await asyncio.sleep(harm.delay)
        if harm.hangs:
            await asyncio.Event().wait()
        if harm.status:
            return (*error(harm.status, "unavailable", "The service failed."), {})
        if key is None:
            status, body = error(401, "unauthorized", "The API key is missing or invalid.")
            return status, body, {**self.limits.untouched(), "WWW-Authenticate": "Bearer"}
        verdict, added = await self.limits.take(key, method == "POST")
        if verdict == 403:
            return (*error(403, "banned", "This key is banned."), added)
        if verdict == 429:
            self.pressure.exceeded(key)
            return (*error(429, "rate_limited", "Too many requests."), added)
        if path != "/v1/categories" or method not in ("GET", "POST"):
            return (*error(404, "not_found", "There is no such operation."), added)
        status, body = (200, self.store.categories) if method == "GET" else await self.store.create(raw)
        return status, body, added

    async def connection(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                method, path, _ = head[0].split(" ")
                headers = {name.lower(): value.strip()
                           for name, _, value in (line.partition(":") for line in head[1:] if line)}
                raw = await reader.readexactly(int(headers.get("content-length", 0)))
                status, body, added = await self.respond(method, path, headers, raw)
                page = FAULT == "pages-under-load" and status == 200 and self.pressure.above()
                payload = b"<html><h1>Busy</h1></html>" if page else json.dumps(body).encode()
                lines = [f"HTTP/1.1 {status} {REASONS[status]}", "Content-Type: application/json",
                         f"Content-Length: {len(payload)}", f"Date: {formatdate(usegmt=True)}",
                         *(f"{name}: {value}" for name, value in added.items())]
                writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + payload)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            pass
        finally:
            writer.close()


async def main():
    server = await asyncio.start_server(Service().connection, "127.0.0.1", int(os.environ["PORT"]), backlog=512)
    async with server:
        await server.serve_forever()


asyncio.run(main())
