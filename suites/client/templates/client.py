# A client of the Pet Store Service for Python 3.8 or newer, without dependencies. It waits Retry-After (seconds or
# HTTP-date), adds exponential backoff with jitter to it, gives up after six attempts, and retries 429 alone. All tasks
# of a key wait at one gate. Replace list_categories() and create() by calls of your own client, and keep the rest.
import json, os, random, sys, threading, time, urllib.error, urllib.request
from concurrent.futures import ThreadPoolExecutor
from email.utils import mktime_tz, parsedate_tz
from functools import partial

gate, closed_until = threading.Lock(), 0.0  # The gate of the key: until then no task sends (seconds of time.monotonic).


def retry_after_seconds(value):
    try:
        return max(0, int(value))
    except ValueError:
        date = parsedate_tz(value)
        return max(0.0, mktime_tz(date) - time.time()) if date else 0


def send(method, body=None):
    global closed_until
    request = urllib.request.Request(os.environ["PETSTORE_TARGET"] + "/categories", method=method)
    request.add_header("Authorization", "Bearer " + os.environ["PETSTORE_API_KEY"])
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    for attempt in range(6):
        while (wait := closed_until - time.monotonic()) > 0:
            time.sleep(min(60, wait))
        try:
            with urllib.request.urlopen(request):
                return True
        except urllib.error.HTTPError as error:
            if error.code != 429:
                return False
            backoff = 2**attempt * random.uniform(0.5, 1)
            opens = time.monotonic() + retry_after_seconds(error.headers.get("Retry-After", "")) + backoff
        with gate:  # After the last attempt, too: the next call has to wait.
            closed_until = max(closed_until, opens)
    return False


list_categories = partial(send, "GET")
create = partial(send, "POST", {"name": "rabbit"})
count = lambda name, otherwise: int(os.environ.get(name, otherwise))
calls = [list_categories] * count("PETSTORE_CALLS", 1) + [create] * count("PETSTORE_CREATES", 0)
with ThreadPoolExecutor(count("PETSTORE_CONCURRENCY", 1)) as tasks:
    succeeded = list(tasks.map(lambda call: call(), calls))
sys.exit(0 if all(succeeded) else 1)
