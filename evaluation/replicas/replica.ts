import { createClient } from '@redis/client';
import { UserError } from '../../kernel/basics/errors.ts';
import type { Servable } from '../../reference-server/http/server.ts';
import type { Quota } from '../../reference-server/limiters/algorithm.ts';
import type { QuotaCheck } from '../../reference-server/limiters/caller-counters.ts';
import type { Decision } from '../../reference-server/limiters/limiter.ts';
import { combineChecks } from '../../reference-server/limiters/limiter.ts';
import type { Caller, Identity } from '../../reference-server/service/callers.ts';
import { callersByKey, demoKeys, identifyBy } from '../../reference-server/service/callers.ts';
import type { Category, CategoryStore } from '../../reference-server/service/categories.ts';
import { categoryJson } from '../../reference-server/service/categories.ts';
import type { Outcome, Request, Response } from '../../reference-server/service/message.ts';
import { errorResponse } from '../../reference-server/service/message.ts';
import { completeResponse, createRouter, respond } from '../../reference-server/service/routes.ts';
import type { ServiceOptions } from '../../reference-server/service/service.ts';
import { systemClock } from '../../reference-server/service/service.ts';

/**
 * What several replicas of the service share, so that a caller has one count
 * and sees one list, whichever replica responds. Every method rejects while the
 * store is unavailable, after a second at most.
 */
interface SharedStore {
  /** Checks a request against all quotas of a caller and counts it in all or in none, in one atomic step. */
  consume(id: string, quotas: readonly Quota[]): Promise<readonly QuotaCheck[]>;
  /** Exhausts a quota of a caller until the end of its window, unless that window has begun already. */
  exhaust(id: string, quota: Quota): Promise<void>;
  /** Every category, as JSON text, in the order of creation. */
  categories(): Promise<readonly string[]>;
  /** An id that no category has yet. */
  nextId(): Promise<bigint>;
  /** Adds a category, as JSON text. */
  addCategory(category: string): Promise<void>;
  close(): Promise<void>;
}

/** What a replica does while the store is unavailable: `open` responds without counting; `closed` responds 503. */
export type OutagePolicy = 'open' | 'closed';

/** What one replica of a service is made of; the clock is the system's by default. */
interface ReplicaOptions
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

/** The shared store is unavailable at the start; the message is one sentence that says what to do. */
export class StoreUnreachableError extends UserError {
  override readonly name = 'StoreUnreachableError';
}

/**
 * One window from the caller's first request for every quota, counted in all or
 * in none. It runs inside Redis as one atomic step, so that two replicas cannot
 * both accept the last request, and uses the clock of Redis, which they share.
 * KEYS: one for each quota. ARGV: limit and window (milliseconds) of each.
 * Returns the time, then start and count of each.
 */
const CONSUME = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local windows, fits = {}, true
for i, key in ipairs(KEYS) do
  local limit, length = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local start = tonumber(redis.call('HGET', key, 'start'))
  local count = tonumber(redis.call('HGET', key, 'count'))
  if not start or now >= start + length then start, count = now, 0 end
  if count >= limit then fits = false end
  windows[i] = { start, count, length }
end
local reply = { now, fits and 1 or 0 }
for i, key in ipairs(KEYS) do
  local start, count, length = unpack(windows[i])
  if fits then
    count = count + 1
    redis.call('HSET', key, 'start', start, 'count', count)
    redis.call('PEXPIREAT', key, start + length)
  end
  reply[2 * i + 1], reply[2 * i + 2] = start, count
end
return reply
`;

/** The same window, exhausted, unless another replica has begun it already. KEYS: one. ARGV: limit, window (milliseconds). */
const EXHAUST = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'start', now, 'count', ARGV[1])
  redis.call('PEXPIREAT', KEYS[1], now + ARGV[2])
end
return 0
`;

const TIMEOUT_MS = 1000;
const RETRY_MS = 200;

/**
 * Connects to Redis, and reconnects whenever the connection is lost.
 * @param url such as `redis://127.0.0.1:6379`.
 * @param prefix of every key in Redis; the same for all replicas of one service.
 * @throws {StoreUnreachableError} when Redis is unavailable at the start
 */
export async function connectRedis(url: string, prefix: string): Promise<SharedStore> {
  let connected = false;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: () => (connected ? RETRY_MS : false) },
    commandOptions: { timeout: TIMEOUT_MS },
  });
  // Commands fail while the connection is lost; an 'error' event without a listener would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreUnreachableError(`No Redis responds at ${withoutPassword(url)} (${why}): start one.`);
  }
  connected = true;
  const keyOf = (id: string, { window }: Quota): string => `${prefix}:count:${window}:${id}`;
  const numbersOf = ({ limit, windowMs }: Quota): readonly string[] => [String(limit), String(windowMs)];
  return {
    async consume(id, quotas) {
      const reply = await client.eval(CONSUME, {
        keys: quotas.map((quota) => keyOf(id, quota)),
        arguments: quotas.flatMap(numbersOf),
      });
      return checksOf(reply as readonly number[], quotas);
    },
    exhaust: async (id, quota) => {
      await client.eval(EXHAUST, { keys: [keyOf(id, quota)], arguments: [...numbersOf(quota)] });
    },
    categories: () => client.lRange(`${prefix}:categories`, 0, -1),
    nextId: async () => BigInt(await client.incr(`${prefix}:id`)),
    addCategory: async (category) => {
      await client.rPush(`${prefix}:categories`, category);
    },
    close: async () => {
      if (client.isOpen) client.destroy();
    },
  };
}

function checksOf(
  [now = 0, fits = 0, ...windows]: readonly number[],
  quotas: readonly Quota[],
): readonly QuotaCheck[] {
  return quotas.map((quota, at) => {
    const [start = now, count = 0] = windows.slice(2 * at, 2 * at + 2);
    const allowed = fits === 1 || count < quota.limit;
    const resetAt = start + quota.windowMs;
    return {
      quota,
      allowed,
      remaining: Math.max(0, quota.limit - count),
      resetAt,
      retryAt: allowed ? now : resetAt,
    };
  });
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'that address';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
