import asyncio
import sys

from aiohttp import ClientSession
from aiohttp_retry import ExponentialRetry, RetryClient
from aiohttp_retry.retry_options import RetryOptionsBase

from petstore import as_shipped, attempts, authorization, gate, pause, url, work_async


class Backoff(RetryOptionsBase):
    """Retry-After and the backoff; aiohttp-retry itself does not read Retry-After."""

    def get_timeout(self, attempt, response=None):
        return pause(None if response is None else response.headers.get("Retry-After"), attempt - 1)


async def gated(request, handler):
    """A middleware of aiohttp, which is below the retries, so that each of them passes the gate."""
    await gate.pass_through_async()
    response = await handler(request)
    if response.status == 429:
        gate.close(response.headers.get("Retry-After"))
    return response


async def main():
    # As shipped it retries 5xx alone, so the statuses have to name 429 in any case.
    shipped = ExponentialRetry(statuses={429})
    configured = Backoff(attempts=attempts, statuses={429})
    session = ClientSession(headers=authorization, middlewares=() if as_shipped else (gated,))
    async with RetryClient(session, retry_options=shipped if as_shipped else configured) as client:

        async def call(method, body):
            async with client.request(method, url, json=body) as response:
                await response.read()
                return response.status

        return await work_async(call)


sys.exit(asyncio.run(main()))
