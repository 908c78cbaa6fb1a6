"""What the programs of this folder share: the work that certify-client asks for, and a gate for the key, which no
library has. A program runs as its library is shipped, or configured to conform: python FILE shipped|configured."""

import asyncio
import os
import queue
import random
import sys
import threading
import time
from email.utils import parsedate_to_datetime

as_shipped = sys.argv[1:] == ["shipped"]
url = os.environ["PETSTORE_TARGET"] + "/categories"
authorization = {"Authorization": "Bearer " + os.environ["PETSTORE_API_KEY"]}
attempts = 6


def retry_after(value):
    """Seconds that a Retry-After asks for, in seconds or as an HTTP-date."""
    if value is not None and value.isascii() and value.isdigit():
        return int(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0


def pause(value, retry):
    """Retry-After, and exponential backoff with jitter on top; `retry` counts from 0. In seconds."""
    return retry_after(value) + 0.4 * 2**retry * random.uniform(0.5, 1.5)


class Gate:
    """The gate of the key: a 429 closes it for all tasks, and every request passes it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.closed_until = 0.0

    def close(self, value):
        with self.lock:
            self.closed_until = max(self.closed_until, time.monotonic() + retry_after(value))

    def left(self):
        return self.closed_until - time.monotonic()

    def pass_through(self):
        while self.left() > 0:
            time.sleep(max(0, self.left()))

    async def pass_through_async(self):
        while self.left() > 0:
            await asyncio.sleep(max(0, self.left()))


gate = Gate()


def _calls():
    work = queue.SimpleQueue()
    for _ in range(int(os.environ.get("PETSTORE_CALLS", 1))):
        work.put(("GET", None))
    for _ in range(int(os.environ.get("PETSTORE_CREATES", 0))):
        work.put(("POST", {"name": "rabbit"}))
    return work


_tasks = range(int(os.environ.get("PETSTORE_CONCURRENCY", 1)))


def work(call):
    """Does the work in threads: `call(method, body)` returns a status, or raises."""
    calls, failures = _calls(), []

    def task():
        while True:
            try:
                method, body = calls.get_nowait()
            except queue.Empty:
                return
            try:
                status = call(method, body)
                if status >= 300:
                    raise RuntimeError(f"status {status}")
            except Exception as error:
                failures.append(error)
                print(repr(error), file=sys.stderr)
                return  # What a program does after an error is no part of its library.

    threads = [threading.Thread(target=task) for _ in _tasks]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    sys.exit(1 if failures else 0)


async def work_async(call):
    """Does the work in tasks of asyncio: `call(method, body)` resolves to a status, or raises."""
    calls, failures = _calls(), []

    async def task():
        while not calls.empty():
            method, body = calls.get_nowait()
            try:
                status = await call(method, body)
                if status >= 300:
                    raise RuntimeError(f"status {status}")
            except Exception as error:
                failures.append(error)
                print(repr(error), file=sys.stderr)
                return

    await asyncio.gather(*(task() for _ in _tasks))
    return 1 if failures else 0
