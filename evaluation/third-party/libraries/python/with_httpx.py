import time

import httpx
from httpx_retries import Retry, RetryTransport

from petstore import as_shipped, attempts, authorization, gate, pause, url, work


class Backoff(Retry):
    """Retry-After and the backoff, where httpx-retries waits for one of the two."""

    def sleep(self, response):
        value = response.headers.get("Retry-After") if isinstance(response, httpx.Response) else None
        time.sleep(pause(value, self.attempts_made - 1))


class GatedTransport(httpx.HTTPTransport):
    """Below the retries, so that each of them passes the gate."""

    def handle_request(self, request):
        gate.pass_through()
        response = super().handle_request(request)
        if response.status_code == 429:
            gate.close(response.headers.get("Retry-After"))
        return response


configured = RetryTransport(
    transport=GatedTransport(),
    retry=Backoff(total=attempts - 1, allowed_methods=["GET", "POST"], status_forcelist=[429]),
)

transport = RetryTransport() if as_shipped else configured
with httpx.Client(transport=transport, headers=authorization, timeout=None) as client:
    work(lambda method, body: client.request(method, url, json=body).status_code)
