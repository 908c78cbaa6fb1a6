import type { Exchange, Instant, Request } from '../../kernel/exchanges/exchange.ts';
import { answerOf } from '../model/answer.ts';
import { isMalformed } from '../model/malformed.ts';
import type { Sample, SampleOutcome } from '../model/sample.ts';

/**
 * A sample as the exchange that `kernel/rate-limits` reads. Each scenario is judged by
 * itself, so its key is the one under test. k6 keeps no bodies, and of a
 * connection only whether it was opened for the request.
 */
export function exchangeOf(sample: Sample): Exchange {
  const { n, kind, step, operation, sent, received, opened = false, outcome } = sample;
  return {
    kind: 'exchange',
    n,
    probe: kind,
    step: String(step),
    caller: 'key',
    connection: { id: 1, fresh: opened },
    request: REQUESTS[operation],
    sent: instant(sent),
    received: instant(received),
    outcome: outcomeOf(outcome),
  };
}

/** The headers of a 401 or 403 state nothing about the quota of the key, but when to try again. */
function outcomeOf(outcome: SampleOutcome): Exchange['outcome'] {
  if (outcome.kind === 'no-response') {
    const cause = isMalformed(outcome.error) ? 'malformed' : 'reset';
    return { kind: 'no-response', cause, detail: outcome.error };
  }
  const answer = answerOf(outcome);
  if (answer.status !== 401 && answer.status !== 403) return answer;
  return { ...answer, headers: answer.headers.filter(([name]) => name === 'Retry-After') };
}

const instant = (milliseconds: number): Instant => ({ wall: milliseconds, mono: milliseconds });

const REQUESTS: Readonly<Record<Sample['operation'], Request>> = {
  list: { method: 'GET', target: '/v1/categories', headers: [], body: null },
  create: { method: 'POST', target: '/v1/categories', headers: [], body: null },
};
