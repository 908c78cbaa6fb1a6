# A client of the Pet Store Service for Python 3.8 or newer, without dependencies. It waits Retry-After (seconds or
# HTTP-date), adds exponential backoff with jitter to it, gives up after six attempts, and retries 429 alone. All tasks
# of a key wait at one gate. Replace list_categories() and create() by calls of your own client, and keep the rest.
import json, os, queue, random, sys, threading, time, urllib.error, urllib.request
from email.utils import parsedate_to_datetime

ATTEMPTS = 6
closed_until = 0.0  # The gate of the key: until then no task sends (seconds of time.monotonic).
gate = threading.Lock()


def retry_after_seconds(value):
    if value.isascii() and value.isdigit():
        return int(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0


def send(method, body=None):
    global closed_until
    headers = {"Authorization": "Bearer " + os.environ["PETSTORE_API_KEY"]}
    data = None
    if body is not None:
        headers["Content-Type"], data = "application/json", json.dumps(body).encode()
    request = urllib.request.Request(os.environ["PETSTORE_TARGET"] + "/categories", data, headers, method=method)
    for attempt in range(ATTEMPTS):
        while time.monotonic() < closed_until:
            time.sleep(min(60, max(0, closed_until - time.monotonic())))
        try:
            with urllib.request.urlopen(request) as response:
                response.read()
                return True
        except urllib.error.HTTPError as error:
            if error.code != 429:
                return False
            backoff = 2**attempt * random.uniform(0.5, 1)
            opens = time.monotonic() + retry_after_seconds(error.headers.get("Retry-After", "")) + backoff
        with gate:  # After the last attempt, too: the next call has to wait.
            closed_until = max(closed_until, opens)
    return False


def list_categories():
    return send("GET")


def create():
    return send("POST", {"name": "rabbit"})


def task():
    while True:
        try:
            call = work.get_nowait()
        except queue.Empty:
            return
        results.append(call())


count = lambda name, otherwise: int(os.environ.get(name, otherwise))
work, results = queue.SimpleQueue(), []
for call in [list_categories] * count("PETSTORE_CALLS", 1) + [create] * count("PETSTORE_CREATES", 0):
    work.put(call)
tasks = [threading.Thread(target=task) for _ in range(count("PETSTORE_CONCURRENCY", 1))]
for one in tasks:
    one.start()
for one in tasks:
    one.join()
sys.exit(0 if all(results) else 1)
