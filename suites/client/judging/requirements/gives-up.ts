import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { headerValues } from '../../../../kernel/exchanges/headers.ts';
import type { Scenario } from '../../model/scenario.ts';
import {
  invalidBody,
  limitedForEver,
  limitedForEverAfterZero,
  unknownKey,
} from '../../scenarios/giving-up.ts';
import { isLimited } from '../client-request.ts';
import type { ClientEvidence, ClientStart } from '../evidence.ts';
import { completed } from '../evidence.ts';
import type { ClientObservable, ClientObservation } from '../requirement.ts';

/** CLIENT-6: whether the client bounds its attempts, and repeats what can only fail again. */
export const givesUp: ClientObservable = {
  id: 'CLIENT-6',
  needs: [invalidBody, unknownKey, limitedForEver, limitedForEverAfterZero],
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
  const again = requests.slice(1).filter(({ exchange }) => first !== undefined && same(first, exchange));
  const status = requests[0]?.response?.status ?? 'no response';
  if (again.length === 0) return { value: `\`${scenario}\`: no retry after ${status}.` };
  return {
    value: `\`${scenario}\`: the same request ${countOf(again.length + 1, 'time')}, although ${status} came each time.`,
    exchanges: requests.slice(0, 2).map(({ exchange }) => exchange),
    advice: 'Do not retry 400 and 401: the same request fails again.',
  };
}

const same = (a: Exchange, b: Exchange): boolean => identity(a) === identity(b);

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
