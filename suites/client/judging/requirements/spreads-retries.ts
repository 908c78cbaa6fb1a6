import { secondsText } from '../../../../kernel/basics/text.ts';
import { spreadRetries } from '../../scenarios/waiting.ts';
import type { ClientRequest } from '../client-request.ts';
import type { ClientEvidence } from '../evidence.ts';
import type { ClientObservable, ClientObservation } from '../requirement.ts';
import { lateBy } from '../texts.ts';
import { announcedWait, isAfter } from '../waits.ts';

/** CLIENT-5: whether the client adds jitter to Retry-After. */
export const spreadsRetries: ClientObservable = {
  id: 'CLIENT-5',
  needs: [spreadRetries],
  observe: observeSpread,
};

/** First retries that it takes to see a spread. */
const ENOUGH = 6;
/** The spread of the inner retries (milliseconds) up to which they are at one moment, and from which they are spread. */
const ONE_MOMENT = 25;
const SPREAD = 50;
/** A retry this much before the end of the wait (milliseconds) took its jitter from the wait. */
const TAKEN = -20;

function observeSpread(evidence: ClientEvidence): ClientObservation {
  const retries = evidence.of(spreadRetries).flatMap(({ requests }) => firstRetries(requests));
  const late = retries.map(({ late }) => late).sort((a, b) => a - b);
  const exchanges = retries.map(({ request }) => request.exchange);
  if (late.length < ENOUGH) {
    return {
      value: `The client shows ${late.length} first retries; it takes ${ENOUGH} to see a spread.`,
      exchanges,
    };
  }
  // One outlier on each side is noise.
  const inner = (late.at(-2) ?? 0) - (late[1] ?? 0);
  const range = `${late.length} first retries after \`Retry-After\` 1, without the earliest and the latest, lie within ${secondsText(inner)}`;
  if ((late[0] ?? 0) < TAKEN)
    return { value: `${range}; some came before the end of the wait.`, exchanges, advice: SUBTRACTED };
  if (inner <= ONE_MOMENT)
    return { value: `${range}: the client adds no jitter.`, exchanges, advice: UNSPREAD };
  return {
    value: `${range}: ${inner >= SPREAD ? 'spread, as by jitter or by a busy machine.' : 'too little to tell jitter from noise.'}`,
    exchanges,
  };
}

const UNSPREAD =
  'Clients that were rate-limited together come back together. Add a random delay to `Retry-After`, some tenths of a second at least.';
const SUBTRACTED = 'Add jitter to `Retry-After`; never subtract it.';

interface FirstRetry {
  readonly request: ClientRequest;
  /** By how much it came after the end of the wait, in milliseconds. */
  readonly late: number;
}

/** The request after each 429 that follows another response: a further 429 is about a retry. */
function firstRetries(requests: readonly ClientRequest[]): readonly FirstRetry[] {
  return requests.flatMap((limited, at) => {
    const wait = announcedWait(limited);
    const request = requests[at + 1];
    const isFirst = requests[at - 1]?.response?.status !== 429;
    if (wait === undefined || request === undefined || !isFirst || !isAfter(request, limited)) return [];
    return [{ request, late: lateBy(request, wait) }];
  });
}
