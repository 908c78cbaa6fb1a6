import { Agent, RetryAgent } from 'undici';
import { asShipped, attempts, authorization, base, gate, pauseMs, work } from './petstore.mjs';

/** Every request passes the gate of the key, retries too, because RetryAgent dispatches to the agent below it. */
const gated = (dispatch) => (options, handler) => {
  gate
    .pass()
    .then(() => dispatch(options, handler))
    .catch((error) => handler.onResponseError(null, error));
  return true;
};

function retry(error, { state, opts }, done) {
  if (error.statusCode !== 429 || state.counter >= opts.retryOptions.maxRetries) return done(error);
  const after = error.headers?.['retry-after'] ?? error.data?.headers?.['retry-after'];
  gate.close(after);
  setTimeout(() => done(null), pauseMs(after, state.counter - 1));
}

const configured = {
  methods: ['GET', 'POST'],
  statusCodes: [429],
  maxRetries: attempts,
  retry,
};

const agent = asShipped
  ? new RetryAgent(new Agent())
  : new RetryAgent(new Agent().compose(gated), configured);
const { origin, pathname } = new URL(base);

await work(async (method, json) => {
  const headers =
    json === undefined ? authorization : { ...authorization, 'Content-Type': 'application/json' };
  const body = json === undefined ? undefined : JSON.stringify(json);
  const response = await agent.request({ origin, path: `${pathname}/categories`, method, headers, body });
  await response.body.dump();
  return { ok: response.statusCode < 300, status: response.statusCode };
});
await agent.close();
