import { setTimeout as sleep } from 'node:timers/promises';
import * as scripts from './scripts.mjs';
import { is, now, settings } from './settings.mjs';

let unique = 0;
const local = new Map();

/** Runs one script for one key. */
async function run(redis, script, { name, limit, ms }, key, at = now()) {
  const word = `-${settings.worker}-${unique++}`;
  const [accepted, remaining, reset, retry] = await redis(
    'EVAL',
    script,
    1,
    `${name}:${key}:`,
    at,
    limit,
    ms,
    word,
  );
  return { accepted: accepted === 1, limit, remaining, reset, retry };
}

const chosen = () => {
  if (is('fixed-window')) return scripts.fixedWindow;
  if (is('sliding-log')) return scripts.slidingLog();
  if (is('gcra')) return scripts.gcra;
  if (is('expire-after-each')) return scripts.expiredAfterEach;
  if (is('expire-forgotten')) return scripts.neverExpired;
  if (is('log-member-in-ms')) return scripts.slidingLog('now');
  if (is('log-member-in-tenths')) return scripts.slidingLog('math.floor(now / 100)');
  if (is('weight-inverted')) return scripts.weightInverted;
  if (is('half-the-window')) return scripts.windowHalved;
  return scripts.slidingCounter;
};

/** Counts one request, and resolves to what the limiter decides. */
export async function counted(redis, plan, key, request) {
  if (plan.name === 'day') return run(redis, scripts.fixedWindow, plan, key);
  const variant = variants.find(([id]) => is(id));
  return variant === undefined ? run(redis, chosen(), plan, key) : variant[1](redis, plan, key, request);
}

/** A counter of this process alone. */
function inProcess({ limit, ms }, key, cost = 1) {
  const known = local.get(key);
  const one = known === undefined || known.until <= now() ? { count: 0, until: now() + ms } : known;
  local.set(key, one);
  one.count += cost;
  const accepted = one.count <= limit;
  return { accepted, limit, remaining: Math.max(0, limit - one.count), reset: one.until, retry: one.until };
}

const countedBy = (redis, plan, key) => run(redis, scripts.fixedWindow, plan, key);

/** What each process does besides, or instead of, asking Redis once for each request. */
const variants = [
  [
    'limits-in-memory',
    async (redis, plan, key) => {
      const known = local.get(key);
      if (known !== undefined && known.retry > now()) return known;
      const one = await run(redis, scripts.slidingCounter, plan, key);
      if (!one.accepted) local.set(key, one);
      return one;
    },
  ],
  ['counted-in-each-process', async (_redis, plan, key) => inProcess(plan, key)],
  [
    'get-then-set',
    async (redis, plan, key) => {
      const [count, ttl] = [Number((await redis('GET', key)) ?? 0), await redis('PTTL', key)];
      await sleep(5);
      const [left, accepted] = [ttl > 0 ? ttl : plan.ms, count < plan.limit];
      if (accepted) await redis('SET', key, count + 1, 'PX', left);
      const end = now() + left;
      return {
        accepted,
        limit: plan.limit,
        remaining: Math.max(0, plan.limit - count - 1),
        reset: end,
        retry: end,
      };
    },
  ],
  [
    'synchronized-each-second',
    async (redis, plan, key) => {
      // Each process adds what it counted to Redis once a second, and knows of the other one only then.
      const known = local.get(key);
      const fresh = known === undefined || known.until <= now();
      const one = fresh
        ? { shared: 0, mine: 0, synced: now(), until: (Math.floor(now() / plan.ms) + 1) * plan.ms }
        : known;
      local.set(key, one);
      if (now() - one.synced > 1000) {
        one.shared = await redis('INCRBY', `${key}${one.until}`, one.mine);
        Object.assign(one, { mine: 0, synced: now() });
      }
      const used = one.shared + one.mine;
      if (used < plan.limit) one.mine += 1;
      const remaining = Math.max(0, plan.limit - used - 1);
      return {
        accepted: used < plan.limit,
        limit: plan.limit,
        remaining,
        reset: one.until,
        retry: one.until,
      };
    },
  ],
  [
    'tokens-leased-by-tens',
    async (redis, plan, key) => {
      const lease = local.get(key) ?? { left: 0, until: 0 };
      local.set(key, lease);
      if (lease.left === 0 || lease.until <= now()) {
        const granted = await run(redis, scripts.fixedWindow, { ...plan, limit: plan.limit / 10 }, key);
        Object.assign(lease, granted, { left: granted.accepted ? 10 : 0, until: granted.reset });
      }
      const accepted = lease.left > 0;
      if (accepted) lease.left -= 1;
      const remaining = Math.max(0, lease.remaining * 10 + lease.left);
      return { accepted, limit: plan.limit, remaining, reset: lease.until, retry: lease.until };
    },
  ],
  [
    'counted-after-the-response',
    async (redis, plan, key) => {
      const [count, ttl] = [
        Number((await redis('GET', `minute:${key}:`)) ?? 0),
        await redis('PTTL', `minute:${key}:`),
      ];
      if (count < plan.limit) setTimeout(() => void countedBy(redis, plan, key), 60);
      const end = now() + (ttl > 0 ? ttl : plan.ms);
      return {
        accepted: count < plan.limit,
        limit: plan.limit,
        remaining: Math.max(0, plan.limit - count - 1),
        reset: end,
        retry: end,
      };
    },
  ],
  [
    'open-after-ninety',
    async (redis, plan, key) => {
      // The store is lost, and the limiter lets everything pass.
      if ((await redis('INCR', 'requests of the limiter')) < 90 * 2) return countedBy(redis, plan, key);
      return {
        accepted: true,
        limit: plan.limit,
        remaining: plan.limit - 1,
        reset: now() + plan.ms,
        retry: now(),
      };
    },
  ],
  [
    'four-counters-at-most',
    async (redis, plan, _key, request) => {
      // Counters are kept for each credential, valid or not, and the oldest gives way to a fifth.
      const name = request.headers.authorization ?? '';
      const list = await redis('LREM', 'recent', 0, name).then(() => redis('LPUSH', 'recent', name));
      if (list > 4) await redis('DEL', `minute:${await redis('RPOP', 'recent')}:`);
      return run(redis, scripts.fixedWindow, plan, name);
    },
  ],
  [
    'clocks-apart',
    async (redis, plan, key) => {
      // The clocks of the processes differ by a third of a window, and each names the window by its own.
      const mine = now() + (settings.worker * plan.ms) / 3;
      const index = Math.floor(mine / plan.ms);
      const one = await run(redis, scripts.fixedWindow, plan, `${key}${index}`);
      const end = now() + (index + 1) * plan.ms - mine;
      return { ...one, reset: end, retry: end };
    },
  ],
  [
    'one-in-ten-counted-as-ten',
    async (redis, plan, key) => {
      const cost = Math.random() < 0.1 ? 10 : 0;
      const count = await redis('INCRBY', key, cost);
      if ((await redis('PTTL', key)) < 0) await redis('PEXPIRE', key, plan.ms);
      const end = now() + Math.max(1, await redis('PTTL', key));
      return {
        accepted: count <= plan.limit,
        limit: plan.limit,
        remaining: Math.max(0, plan.limit - count),
        reset: end,
        retry: end,
      };
    },
  ],
  [
    'remaining-from-a-lagging-replica',
    async (redis, plan, key) => {
      const one = await countedBy(redis, plan, key);
      const seen = local.get(key) ?? [];
      local.set(key, [...seen, { at: now(), remaining: one.remaining }].slice(-200));
      const old = seen.findLast(({ at }) => at < now() - 300) ?? { remaining: plan.limit - 1 };
      return { ...one, remaining: settings.worker === 1 && one.accepted ? old.remaining : one.remaining };
    },
  ],
  [
    'bans-after-five',
    async (redis, plan, key) => {
      // Conforming: who sends five more requests after a 429 waits two windows, and is told so.
      const banned = await redis('PTTL', `ban ${key}`);
      const end = now() + banned;
      if (banned > 0) return { accepted: false, limit: plan.limit, remaining: 0, reset: end, retry: end };
      const one = await countedBy(redis, plan, key);
      if (one.accepted) return one;
      const refused = await redis('INCR', `refused ${key}`);
      await redis('PEXPIRE', `refused ${key}`, plan.ms);
      if (refused > 5) await redis('SET', `ban ${key}`, 1, 'PX', plan.ms * 2);
      return refused > 5 ? { ...one, retry: now() + plan.ms * 2 } : one;
    },
  ],
  [
    'limited-resets-the-counter',
    async (redis, plan, key) => {
      const one = await countedBy(redis, plan, key);
      if (!one.accepted) await redis('DEL', `minute:${key}:`);
      return one;
    },
  ],
  [
    'ten-percent-more',
    (redis, plan, key) =>
      run(redis, scripts.fixedWindow, { ...plan, limit: plan.limit * 1.1 }, key).then((one) => ({
        ...one,
        limit: plan.limit,
        remaining: Math.min(plan.limit - 1, one.remaining),
      })),
  ],
];
