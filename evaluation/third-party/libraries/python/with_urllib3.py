import time

import urllib3

from petstore import as_shipped, attempts, authorization, gate, pause, url, work


class Backoff(urllib3.Retry):
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

pool = urllib3.PoolManager(headers=authorization)


def call(method, body):
    if as_shipped:
        return pool.request(method, url, json=body).status
    gate.pass_through()
    response = pool.request(method, url, json=body, retries=configured)
    if response.status == 429:
        gate.close(response.headers.get("Retry-After"))
    return response.status


work(call)
