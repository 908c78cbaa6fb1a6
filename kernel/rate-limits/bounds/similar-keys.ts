import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { headerValue } from '../../exchanges/headers.ts';
import { carriesKey } from '../series/keyed-requests.ts';
import type { Transition } from '../series/transitions.ts';
import { fallBeyondUse, isBetween } from '../series/transitions.ts';
import { chanceToHit } from './chance.ts';

/**
 * Whether Remaining falls beyond use by the requests with some invalid
 * credentials, and by nothing else: a service that takes a similar key for the
 * key counts them. Derivation: BOUNDS.md, "Requests with a similar key". Pure.
 * @param mostChance the highest probability at which requests of another client may look so.
 */
export function countsInvalidCredentials(
  changes: readonly Transition[],
  others: readonly Exchange[],
  mostChance: number,
): boolean {
  const beyond = changes.filter((change) => fallBeyondUse(change) > 0);
  const kinds = [...groupedBy(others.filter(isInvalid), credentialOf)].flatMap(([credential, requests]) => {
    const within = requests.filter((request) => changes.some((change) => isBetween(request, change)));
    return credential === '' || within.length === 0 ? [] : [within];
  });
  const counted = kinds.filter((requests) =>
    requests.every((request) => beyond.some((change) => isBetween(request, change))),
  );
  const isExact = changes.every(
    (change) =>
      fallBeyondUse(change) === counted.flat().filter((request) => isBetween(request, change)).length,
  );
  return beyond.length > 0 && isExact && 2 ** kinds.length * chanceToHit(beyond, changes) <= mostChance;
}

/** A request with the key itself in another form is no other caller's: it is among the requests of the transitions. */
const isInvalid = (one: Exchange): boolean => one.caller === 'unauthenticated' && !carriesKey(one);

/** The credential of a request, as the journal names it; empty where it has none. */
const credentialOf = ({ request }: Exchange): string => headerValue(request.headers, 'Authorization') ?? '';
