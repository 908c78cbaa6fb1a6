import { createClient } from '@redis/client';
import { UserError } from '../../kernel/basics/user-error.ts';
import type { Quota } from '../../reference-server/limiters/algorithm.ts';
import type { QuotaCheck } from '../../reference-server/limiters/caller-counters.ts';
import type { SharedStore } from './shared-store.ts';

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
