import backoff
import requests

from petstore import as_shipped, attempts, authorization, gate, pause, url, work

session = requests.Session()
session.headers.update(authorization)


def once(method, body):
    gate.pass_through()  # Open as shipped: nothing closes it then.
    response = session.request(method, url, json=body)
    if response.status_code == 429 and not as_shipped:
        gate.close(response.headers.get("Retry-After"))
    return response


def pauses():
    """A generator as backoff takes them: it receives the response, and yields seconds."""
    retry, response = 0, (yield)
    while True:
        response = yield pause(response.headers.get("Retry-After"), retry)
        retry += 1


def limited(response):
    return response.status_code == 429


shipped = backoff.on_predicate(backoff.expo, limited)
configured = backoff.on_predicate(pauses, limited, max_tries=attempts, jitter=None)
send = (shipped if as_shipped else configured)(once)
work(lambda method, body: send(method, body).status_code)
