import time

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from petstore import as_shipped, attempts, authorization, gate, pause, url, work


class Backoff(Retry):
    """Retry-After and the backoff, where urllib3 waits for one of the two; and the gate of the key."""

    def sleep(self, response=None):
        value = None if response is None else response.headers.get("Retry-After")
        gate.close(value)
        time.sleep(pause(value, len(self.history) - 1))
        gate.pass_through()


configured = Backoff(
    total=attempts - 1,
    status_forcelist=[429],
    allowed_methods=None,  # Every method: a request that got 429 was not executed.
    raise_on_status=False,
)

session = requests.Session()
session.headers.update(authorization)
session.mount("http://", HTTPAdapter(max_retries=5 if as_shipped else configured))


def call(method, body):
    gate.pass_through()  # Open as shipped: nothing closes it then.
    response = session.request(method, url, json=body)
    if response.status_code == 429 and not as_shipped:
        gate.close(response.headers.get("Retry-After"))
    return response.status_code


work(call)
