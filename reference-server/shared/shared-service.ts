import type { Caller, Identity } from '../callers.ts';
import { callersByKey, identifyBy } from '../callers.ts';
import type { Category, CategoryStore } from '../categories.ts';
import { categoryJson } from '../categories.ts';
import { complete, respond } from '../completion.ts';
import type { DemoKeys } from '../demo-keys.ts';
import { demoKeys } from '../demo-keys.ts';
import type { Decision } from '../limiter.ts';
import { decide } from '../limiter.ts';
import type { Outcome, Request, Response } from '../message.ts';
import { errorResponse } from '../message.ts';
import { createRouter } from '../routes.ts';
import type { ServiceOptions } from '../service.ts';
import type { SharedStore, StoreFailure } from './store.ts';

/** What one replica of a service is made of. */
export interface SharedServiceOptions extends Pick<ServiceOptions, 'plans' | 'clock' | 'keys'> {
  readonly store: SharedStore;
  readonly failure: StoreFailure;
}

/** One replica of the service, without sockets. */
export interface SharedService {
  readonly keys: DemoKeys;
  /** Never rejects. */
  readonly answer: (request: Request) => Promise<Outcome>;
}

/**
 * The same service over a store that its replicas share. What the store must be
 * asked for is asked before and told after the core has answered, so that
 * routes and completion are those of the service in memory. While the store is
 * lost, `closed` answers 503; `open` counts nobody, shows the list that this
 * replica saw last, and answers 503 to creations alone.
 * @throws when the store is lost at the start already
 */
export async function createSharedService(options: SharedServiceOptions): Promise<SharedService> {
  const { plans, clock, store, failure } = options;
  const keys = options.keys ?? demoKeys(plans);
  const callers = callersByKey(keys, plans);
  const identify = identifyBy(callers, plans);
  await Promise.all(
    keys.spent.flatMap((key) => callers.get(key) ?? []).map((caller) => spendDay(store, caller)),
  );
  let seen: readonly string[] = [];
  const list = async (): Promise<readonly string[]> => {
    try {
      seen = await store.categories();
    } catch (error) {
      if (failure === 'closed') throw error;
    }
    return seen;
  };
  const answered = async (request: Request, identity: Identity, now: number): Promise<Outcome> => {
    const { caller } = identity;
    const decision = await spend(store, caller).catch((error: unknown) => {
      if (failure === 'closed') throw error;
      return uncounted(caller, now);
    });
    const served = decision.allowed && caller.known;
    const id = served && request.method === 'POST' ? await store.nextId() : 0n;
    const categories = snapshot(served && request.method !== 'POST' ? await list() : [], id);
    const response = respond(request, identity, decision, now, createRouter(categories));
    const created = categories.created();
    if (created !== undefined) await store.keep(categoryJson(created));
    return complete(response, decision, now);
  };
  return {
    keys,
    answer(request) {
      const now = Math.floor(clock.now());
      const identity = identify(request);
      return answered(request, identity, now).catch(() => unavailable(identity.caller, now));
    },
  };
}

async function spendDay(store: SharedStore, { id, quotas }: Caller): Promise<void> {
  const day = quotas.find(({ window }) => window === 'day');
  if (day !== undefined) await store.exhaust(id, day);
}

const spend = async (store: SharedStore, { id, quotas }: Caller): Promise<Decision> =>
  decide(await store.spend(id, quotas));

/** The categories as one request needs them: a list to show, an id to create one with. */
interface Snapshot extends CategoryStore {
  readonly created: () => Category | undefined;
}

function snapshot(texts: readonly string[], id: bigint): Snapshot {
  let made: Category | undefined;
  return {
    created: () => made,
    create(category) {
      made = { id, ...category };
      return made;
    },
    listJson: () => `[${texts.join(',')}]`,
  };
}

/** Without the store nobody's use is known: the caller is told of a whole limit. */
function uncounted({ quotas }: Caller, now: number): Decision {
  const [{ limit, windowMs } = { limit: 0, windowMs: 0 }] = quotas;
  return { allowed: true, limit, remaining: limit, resetAt: now + windowMs, retryAt: now };
}

/** RFC 9110 §15.6.4: the service cannot answer now, and says when to ask again. */
function unavailable(caller: Caller, now: number): Outcome {
  const response: Response = errorResponse(
    503,
    'store_unavailable',
    'The shared store is not to be reached.',
    [['Retry-After', '1']],
  );
  return complete(response, { ...uncounted(caller, now), remaining: 0 }, now);
}
