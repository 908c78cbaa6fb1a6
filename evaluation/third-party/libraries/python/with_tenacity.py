import requests
import tenacity

from petstore import as_shipped, attempts, authorization, gate, pause, url, work

session = requests.Session()
session.headers.update(authorization)


def once(method, body):
    gate.pass_through()  # Open as shipped: nothing closes it then.
    response = session.request(method, url, json=body)
    if response.status_code == 429:
        if not as_shipped:
            gate.close(response.headers.get("Retry-After"))
        response.raise_for_status()
    return response.status_code


def wait(state):
    """Retry-After of the response, and the backoff."""
    return pause(state.outcome.exception().response.headers.get("Retry-After"), state.attempt_number - 1)


configured = tenacity.retry(
    retry=tenacity.retry_if_exception(lambda error: isinstance(error, requests.HTTPError)),
    stop=tenacity.stop_after_attempt(attempts),
    wait=wait,
    reraise=True,
)

work(tenacity.retry(once) if as_shipped else configured(once))
