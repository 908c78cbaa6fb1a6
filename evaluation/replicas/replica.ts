import type { Servable } from '../../reference-server/http/server.ts';
import type { Decision } from '../../reference-server/limiters/limiter.ts';
import { combineChecks } from '../../reference-server/limiters/limiter.ts';
import type { Caller, Identity } from '../../reference-server/service/callers.ts';
import { callersByKey, identifyBy } from '../../reference-server/service/callers.ts';
import type { Category, CategoryStore } from '../../reference-server/service/categories.ts';
import { categoryJson } from '../../reference-server/service/categories.ts';
import { systemClock } from '../../reference-server/service/clock.ts';
import { demoKeys } from '../../reference-server/service/demo-keys.ts';
import type { Outcome, Request, Response } from '../../reference-server/service/message.ts';
import { errorResponse } from '../../reference-server/service/message.ts';
import { completeResponse, respond } from '../../reference-server/service/response.ts';
import { createRouter } from '../../reference-server/service/routes.ts';
import type { ServiceOptions } from '../../reference-server/service/service.ts';
import type { OutagePolicy, SharedStore } from './shared-store.ts';

/** What one replica of a service is made of; the clock is the system's by default. */
export interface ReplicaOptions
  extends Pick<ServiceOptions, 'plans' | 'keys'>,
    Partial<Pick<ServiceOptions, 'clock'>> {
  readonly store: SharedStore;
  readonly duringOutage: OutagePolicy;
}

/** One replica of the service, without sockets. */
export interface Replica extends Servable {
  /** Never rejects. */
  readonly handle: (request: Request) => Promise<Outcome>;
}

/**
 * The reference service over a store that its replicas share. All reads from
 * the store come before the service's own routing and response, all writes
 * after, so that replicas run the same code as the service in memory. While the
 * store is unavailable, a `closed` replica responds 503; an `open` one does not
 * count, shows the list that it read last, and responds 503 to creations only.
 * @throws when the store is unavailable at the start
 */
export async function createReplica(options: ReplicaOptions): Promise<Replica> {
  const { plans, clock = systemClock, store, duringOutage } = options;
  const keys = options.keys ?? demoKeys(plans);
  const callers = callersByKey(keys, plans);
  const identify = identifyBy(callers, plans);
  await Promise.all(
    keys.exhausted.flatMap((key) => callers.get(key) ?? []).map((caller) => exhaustDay(store, caller)),
  );
  let lastRead: readonly string[] = [];
  const readList = async (): Promise<readonly string[]> => {
    try {
      lastRead = await store.categories();
    } catch (error) {
      if (duringOutage === 'closed') throw error;
    }
    return lastRead;
  };
  const handleIdentified = async (request: Request, identity: Identity, now: number): Promise<Outcome> => {
    const { caller } = identity;
    const decision = await consume(store, caller).catch((error: unknown) => {
      if (duringOutage === 'closed') throw error;
      return uncounted(caller, now);
    });
    const routed = decision.allowed && caller.authenticated;
    const id = routed && request.method === 'POST' ? await store.nextId() : 0n;
    const categories = snapshot(routed && request.method !== 'POST' ? await readList() : [], id);
    const response = respond(request, identity, decision, now, createRouter(categories));
    const created = categories.created();
    if (created !== undefined) await store.addCategory(categoryJson(created));
    return completeResponse(response, decision, now);
  };
  return {
    keys,
    handle(request) {
      const now = Math.floor(clock.now());
      const identity = identify(request);
      return handleIdentified(request, identity, now).catch(() => storeUnavailable(identity.caller, now));
    },
  };
}

async function exhaustDay(store: SharedStore, { id, quotas }: Caller): Promise<void> {
  const day = quotas.find(({ window }) => window === 'day');
  if (day !== undefined) await store.exhaust(id, day);
}

const consume = async (store: SharedStore, { id, quotas }: Caller): Promise<Decision> =>
  combineChecks(await store.consume(id, quotas));

/** The categories for one request: a list to show, and an id to create one with. */
interface Snapshot extends CategoryStore {
  readonly created: () => Category | undefined;
}

function snapshot(texts: readonly string[], id: bigint): Snapshot {
  let category: Category | undefined;
  return {
    created: () => category,
    create(fields) {
      category = { id, ...fields };
      return category;
    },
    listJson: () => `[${texts.join(',')}]`,
  };
}

/** Without the store no count is known: the headers show the full quota. */
function uncounted({ quotas }: Caller, now: number): Decision {
  const [{ limit, windowMs } = { limit: 0, windowMs: 0 }] = quotas;
  return { allowed: true, limit, remaining: limit, resetAt: now + windowMs, retryAt: now };
}

/** RFC 9110 §15.6.4: the service is unavailable at the moment, and says when to retry. */
function storeUnavailable(caller: Caller, now: number): Outcome {
  const response: Response = errorResponse(503, 'store_unavailable', 'The shared store is unavailable.', [
    ['Retry-After', '1'],
  ]);
  return completeResponse(response, { ...uncounted(caller, now), remaining: 0 }, now);
}
