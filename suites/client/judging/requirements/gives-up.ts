import { countOf, secondsText } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { headerValues } from '../../../../kernel/exchanges/headers.ts';
import type { Scenario } from '../../model/scenario.ts';
import {
  invalidBody,
  limitedForEver,
  limitedForEverAfterZero,
  spreadRetries,
  unknownKey,
} from '../../scenarios/index.ts';
import type { ClientRequest } from '../client-request.ts';
import { isLimited } from '../client-request.ts';
import { announcedWait, isAfter, lateBy } from '../early.ts';
import type { ClientEvidence, ClientObservable, ClientObservation, ClientStart } from '../evidence.ts';
import { completed } from '../evidence.ts';

/** CLIENT-6: whether the client bounds its attempts, and repeats what can only fail again. */
export const givesUp: ClientObservable = {
  id: 'CLIENT-6',
  observe: observeGivingUp,
};

/** More attempts than this for one call are many: bounded clients make 11 at most. */
const MANY = 20;

function observeGivingUp(evidence: ClientEvidence): ClientObservation {
  const seen = [
    ...[invalidBody, unknownKey].flatMap((scenario) => startsOf(evidence, scenario).map(repetitionIn)),
    ...[limitedForEver, limitedForEverAfterZero].flatMap((scenario) =>
      startsOf(evidence, scenario).map(attemptsIn),
    ),
  ];
  const advice = [...new Set(seen.flatMap((one) => one.advice ?? []))].join(' ');
  return {
    value: seen.length === 0 ? 'Not observed.' : seen.map(({ value }) => value).join(' '),
    exchanges: seen.flatMap(({ exchanges = [] }) => exchanges),
    ...(advice === '' ? {} : { advice }),
  };
}

const startsOf = (evidence: ClientEvidence, scenario: Scenario): readonly ClientStart[] =>
  evidence.of(scenario).filter((start) => completed(start) && start.requests.length > 0);

/** A request that was sent again as it was, although it can only fail again. */
function repetitionIn({ scenario, requests }: ClientStart): ClientObservation {
  const first = requests[0]?.exchange;
  const again = requests
    .slice(1)
    .filter(({ exchange }) => first !== undefined && identity(first) === identity(exchange));
  const status = requests[0]?.response?.status ?? 'no response';
  if (again.length === 0) return { value: `\`${scenario}\`: no retry after ${status}.` };
  return {
    value: `\`${scenario}\`: the same request ${countOf(again.length + 1, 'time')}, although ${status} came each time.`,
    exchanges: requests.slice(0, 2).map(({ exchange }) => exchange),
    advice: 'Do not retry 400 and 401: the same request fails again.',
  };
}

const identity = ({ request }: Exchange): string =>
  JSON.stringify([
    request.method,
    request.target,
    request.body?.text ?? null,
    headerValues(request.headers, 'Authorization'),
  ]);

/** How often one call is attempted while the limit never ends. */
function attemptsIn({ scenario, requests, exit }: ClientStart): ClientObservation {
  // What is served, as the creation that is waiting, is no attempt of the call.
  const limited = requests.filter(isLimited);
  if (limited.length === 0) return { value: `\`${scenario}\`: no request got 429.` };
  const attempts = countOf(limited.length, 'attempt');
  const exchanges = limited.slice(-1).map(({ exchange }) => exchange);
  if (limited.length > MANY) {
    return {
      value: `\`${scenario}\`: ${attempts}.`,
      exchanges,
      advice: `Give up after a bounded number of attempts; ${MANY} for one call are many.`,
    };
  }
  return exit?.how.kind === 'exited'
    ? { value: `\`${scenario}\`: gives up after ${attempts}.`, exchanges }
    : { value: `\`${scenario}\`: ${attempts}, and no end while it was watched.`, exchanges };
}

/** CLIENT-5: whether the client adds jitter to Retry-After. */
export const spreadsRetries: ClientObservable = {
  id: 'CLIENT-5',
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

/** The request after each 429 that follows another response, and how late it came: a further 429 is about a retry. */
function firstRetries(requests: readonly ClientRequest[]) {
  return requests.flatMap((limited, at) => {
    const wait = announcedWait(limited);
    const request = requests[at + 1];
    const isFirst = requests[at - 1]?.response?.status !== 429;
    if (wait === undefined || request === undefined || !isFirst || !isAfter(request, limited)) return [];
    return [{ request, late: lateBy(request, wait) }];
  });
}
