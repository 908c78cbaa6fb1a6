import type { Profile } from '../model/profile.ts';
import {
  exceedLimit,
  halfRateScenario,
  restForBaseline,
  scenarioOf,
  waitAndRetry,
  windowMs,
} from './arithmetic.ts';

/** Requests sent despite 429 responses: well beyond the few after which services ban a key. */
const PERSISTENT_REQUESTS = 20;

/** A client that does what the specification warns against, with a key that may get banned, beside another caller. */
export const offender = {
  id: 'offender',
  description:
    'Keeps sending after 429 with a disposable key, while the key under test sends at half the sustainable rate.',
  why: 'Shows whether and how an offender is banned, that a ban ends as announced, and that other callers are not affected.',
  needs: ['disposable key'],
  banRisk: 'intended',
  expects: ['SENT', 'NO-5XX', 'CEILING', 'RATE-LIMITED', 'NEIGHBOUR', 'BAN-ENDS'],
  scenarios({ limits }) {
    const persist = {
      kind: 'persist',
      requests: PERSISTENT_REQUESTS,
      everyMs: Math.ceil(windowMs(limits) / 240),
    } as const;
    return [
      scenarioOf('disposable', [
        ...exceedLimit(limits, restForBaseline(limits)),
        persist,
        ...waitAndRetry(limits),
      ]),
      halfRateScenario('key', limits),
    ];
  },
} as const satisfies Profile;
