import { createHash } from 'node:crypto';
import type { Plans } from '../../spec/plans.ts';
import { limitsOf } from '../../spec/plans.ts';
import type { Quota } from '../limiters/algorithm.ts';
import type { Request } from './message.ts';
import { headerValues } from './message.ts';

/**
 * API keys for demonstrations, by plan: two for every plan of the plan file
 * whose limits are stated, each a caller of its own, and none for the others.
 */
export interface DemoKeys {
  readonly free: readonly string[];
  readonly pro: readonly string[];
  readonly business: readonly string[];
  /** One Free key whose daily quota is exhausted when the server starts. */
  readonly exhausted: readonly string[];
  /** One Free key that may get banned. */
  readonly disposable: readonly string[];
  /** The keys of any further plan, such as Enterprise where its limits are stated. */
  readonly [plan: string]: readonly string[];
}

/**
 * The same keys for every server, so that a command line can be repeated. They
 * are not secret: they are valid only for servers started for a demonstration.
 */
export function demoKeys({ plans }: Plans): DemoKeys {
  const stated = Object.keys(plans).filter((name) => plans[name] !== null);
  const pairs = stated.map((name) => [name, [demoKey(name, 1), demoKey(name, 2)]] as const);
  const single = (label: string) => (stated.includes('free') ? [demoKey(label, 1)] : []);
  // The texts of these keys are part of `serve --json`, whose output does not change.
  const others = { exhausted: single('spent'), disposable: single('sacrificial') };
  return { free: [], pro: [], business: [], ...Object.fromEntries(pairs), ...others };
}

function demoKey(label: string, n: number): string {
  const tail = createHash('sha256')
    .update(`demo ${label} ${n}`)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  return `demo-${label}-${n}-${tail.slice(0, 20)}`;
}

/** Whoever a request is counted for: an API key, or the address of an unauthenticated client. */
export interface Caller {
  /** The name of its counters; never the key itself. */
  readonly id: string;
  /** Whether the request has a valid key. */
  readonly authenticated: boolean;
  /** Every quota that a request of this caller counts against. */
  readonly quotas: readonly Quota[];
}

/** The caller of a request, and whether the request has credentials of any kind. */
export interface Identity {
  readonly caller: Caller;
  readonly sentCredentials: boolean;
}

export type Identify = (request: Request) => Identity;

/** The `Authorization` of RFC 6750 §2.1: the scheme in any case (RFC 9110 §11.1), then one token. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The least limit per minute of a client address without a valid key, whatever the plans: test plans are small. */
const UNAUTHENTICATED_MINIMUM = 1000;

/** The groups of demo keys that are named for their purpose and are on the plan Free. */
const FREE_GROUPS = new Set(['exhausted', 'disposable']);

/** The callers of the demo keys, by key. */
export function callersByKey(keys: DemoKeys, plans: Plans): ReadonlyMap<string, Caller> {
  const callers = new Map<string, Caller>();
  for (const [group, list] of Object.entries(keys)) {
    if (list.length === 0) continue;
    const quotas = planQuotas(plans, FREE_GROUPS.has(group) ? 'free' : group);
    for (const [index, key] of list.entries()) {
      callers.set(key, { id: `${group}-${index + 1}`, authenticated: true, quotas });
    }
  }
  return callers;
}

/**
 * Identifies by the one `Authorization: Bearer KEY`, compared exactly. With
 * anything else, two such headers included, the caller is the client's address.
 */
export function identifyBy(callers: ReadonlyMap<string, Caller>, plans: Plans): Identify {
  const quotas = [unauthenticatedQuota(plans)];
  return (request) => {
    const [authorization, ...further] = headerValues(request, 'Authorization');
    const key = further.length === 0 ? BEARER.exec(authorization ?? '')?.[1] : undefined;
    const caller = key === undefined ? undefined : callers.get(key);
    return {
      caller: caller ?? { id: request.client.address, authenticated: false, quotas },
      sentCredentials: authorization !== undefined,
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

/** An address without a valid key has the limit per minute of the highest plan. */
function unauthenticatedQuota({ plans, minuteSeconds }: Plans): Quota {
  const perMinute = Object.values(plans).map((plan) => plan?.perMinute ?? 0);
  return {
    window: 'unauthenticated',
    limit: Math.max(UNAUTHENTICATED_MINIMUM, ...perMinute),
    windowMs: milliseconds(minuteSeconds),
  };
}

/** Whole milliseconds, the smallest unit of the limiters; a plan file may state fractions of a second. */
function milliseconds(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}
