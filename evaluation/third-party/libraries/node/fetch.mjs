import { asShipped, attempts, gatedFetch, initOf, pauseMs, url, work } from './petstore.mjs';

// Node's fetch does not retry. Configured: a loop of the program.
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function fetchWithBackoff(input, init) {
  for (let retry = 0; ; retry += 1) {
    const response = await gatedFetch(input, init);
    if (response.status !== 429 || retry === attempts - 1) return response;
    await response.body?.cancel();
    await sleep(pauseMs(response.headers.get('Retry-After'), retry));
  }
}

const send = asShipped ? fetch : fetchWithBackoff;
await work(async (method, body) => {
  const response = await send(url, initOf(method, body));
  await response.arrayBuffer();
  return response;
});
