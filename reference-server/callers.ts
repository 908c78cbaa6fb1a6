import type { Plans } from '../spec/plans.ts';
import { limitsOf } from '../spec/plans.ts';
import type { DemoKeys } from './demo-keys.ts';
import type { Quota } from './limiters/algorithm.ts';
import type { Request } from './message.ts';
import { headerValues } from './message.ts';

/** Whoever a request is counted for. */
export interface Caller {
  /** What the counters are kept under; never the key itself. */
  readonly id: string;
  /** Whether a valid key was given. */
  readonly known: boolean;
  /** Every quota that a request of this caller must fit into. */
  readonly quotas: readonly Quota[];
}

/** A request's caller, and for a stranger whether credentials of any kind came with it. */
export interface Identity {
  readonly caller: Caller;
  readonly presented: boolean;
}

/** Finds out who sent a request. */
export type Identify = (request: Request) => Identity;

/** The `Authorization` of RFC 6750 §2.1: the scheme in any case (RFC 9110 §11.1), then one token. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The least that a client address without a valid key may send: small test plans must not starve it. */
const STRANGER_MINIMUM = 1000;

/** The groups of demo keys that are named for their purpose and are on the plan Free. */
const FREE_GROUPS = new Set(['spent', 'sacrificial']);

/** The callers of the demo keys, by key. */
export function callersByKey(keys: DemoKeys, plans: Plans): ReadonlyMap<string, Caller> {
  const callers = new Map<string, Caller>();
  for (const [group, list] of Object.entries(keys)) {
    if (list.length === 0) continue;
    const quotas = planQuotas(plans, FREE_GROUPS.has(group) ? 'free' : group);
    for (const [index, key] of list.entries()) {
      callers.set(key, { id: `${group}-${index + 1}`, known: true, quotas });
    }
  }
  return callers;
}

/**
 * Identifies by the one `Authorization: Bearer KEY`, compared exactly. Anything
 * else, two such headers included, is a stranger, told apart by client address.
 */
export function identifyBy(callers: ReadonlyMap<string, Caller>, plans: Plans): Identify {
  const quotas = [strangerQuota(plans)];
  return (request) => {
    const [authorization, ...further] = headerValues(request, 'Authorization');
    const key = further.length === 0 ? BEARER.exec(authorization ?? '')?.[1] : undefined;
    const caller = key === undefined ? undefined : callers.get(key);
    return {
      caller: caller ?? { id: request.client.address, known: false, quotas },
      presented: authorization !== undefined,
    };
  };
}

function planQuotas(plans: Plans, plan: string): readonly Quota[] {
  const { perMinute, perDay, minuteSeconds, daySeconds } = limitsOf(plans, plan);
  return [
    { window: 'minute', limit: perMinute, windowMs: milliseconds(minuteSeconds) },
    { window: 'day', limit: perDay, windowMs: milliseconds(daySeconds) },
  ];
}

/** An address without a valid key may send as much in a minute as the greatest plan. */
function strangerQuota({ plans, minuteSeconds }: Plans): Quota {
  const perMinute = Object.values(plans).map((plan) => plan?.perMinute ?? 0);
  return {
    window: 'stranger',
    limit: Math.max(STRANGER_MINIMUM, ...perMinute),
    windowMs: milliseconds(minuteSeconds),
  };
}

/** Whole milliseconds, since the limiters count in nothing smaller; a plan file may state fractions of a second. */
function milliseconds(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}
