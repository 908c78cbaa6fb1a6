"""The Pet Store Service behind HAProxy, which authenticates and limits; what is behind it only stores."""

import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from gate import configuration

categories, lock = [], threading.Lock()


def created(raw):
    body = json.loads(raw.decode("utf-8"))
    if not isinstance(body, dict) or not isinstance(body.get("name"), str) or not body["name"]:
        raise ValueError("name")
    if not isinstance(body.get("description", ""), str):
        raise ValueError("description")
    return {field: body[field] for field in ("name", "description") if field in body}


class Store(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def fail(self, status, code, message):
        self.answer(status, {"code": code, "message": message, "status": status})

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return chunks

    def serve(self):
        path, raw = self.path.split("?")[0], self.body()
        if path == "/v1/categories" and self.command == "GET":
            with lock:
                return self.answer(200, categories)
        if path == "/v1/categories" and self.command == "POST":
            try:
                one = created(raw)
            except ValueError:
                return self.fail(400, "invalid_body", "The body needs a name.")
            with lock:
                one = {"id": len(categories) + 1, **one}
                categories.append(one)
            return self.answer(201, one)
        if path == "/v1/categories":
            return self.fail(405, "method_not_allowed", "No such method.")
        if path == "/v1/store/orders" or path.startswith("/v1/pets/"):
            return self.fail(501, "not_implemented", "Not implemented yet.")
        return self.fail(404, "not_found", "No such operation.")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = serve


if __name__ == "__main__":
    store = ThreadingHTTPServer(("127.0.0.1", 0), Store)
    store.daemon_threads = True
    file = os.path.join(os.environ["SCRATCH"], "haproxy.cfg")
    with open(file, "w", encoding="utf-8") as out:
        out.write(configuration(store.server_port))
    subprocess.Popen(["haproxy", "-db", "-f", file])
    store.serve_forever()
