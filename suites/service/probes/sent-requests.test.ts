import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { VirtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { runWith, virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { assertPage } from '../../../evaluation/testing/tools/page.ts';
import type { Selection } from '../../../kernel/findings/tested.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { withQuota } from '../../../reference-server/catalogue/wrappers/counting.ts';
import type { Request } from '../../../reference-server/service/message.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { quickIds } from '../run/select.ts';
import { closingList } from './creations.ts';
import { probes } from './index.ts';

// What a run sends and how long it waits. A digest that changes alone shows another order, text, connection or moment.

const PAGE = 'suites/service/probes/sent-requests.txt';

const COMPLETE: VirtualRun = { withDisposableKey: true, thorough: true };
const SMALL_DAY = runWith(['used day']);

const only = (kind: Selection['kind'], ...requirements: readonly string[]): Selection => ({
  kind,
  requirements: [...requirements],
});

type Named = readonly [what: string, run: VirtualRun];

/** Complete runs against a target with each of these faults, and to each of these conforming variants. */
const against = (...ids: readonly string[]): readonly Named[] =>
  ids.map((id) => [`against ${id}`, { ...COMPLETE, fault: findFault(id) }]);
const to = (...ids: readonly string[]): readonly Named[] =>
  ids.map((id) => [`to ${id}`, { ...COMPLETE, fault: findVariant(id) }]);

/** Runs that use a small day, against a target with each of these faults. */
const withSmallDay = (...ids: readonly string[]): readonly Named[] =>
  ids.map((id) => [`with a small day, against ${id}`, { ...SMALL_DAY, fault: findFault(id) }]);

const RUNS: readonly Named[] = [
  ['a complete run', COMPLETE],
  ['with the key under test alone', { withoutOtherKey: true, withoutExhaustedKey: true }],
  ['with a key of Pro', { ...COMPLETE, plan: 'pro' }],
  ['with a whole day', { spendDay: true }],
  ...['LIMIT-1', 'LIMIT-9', 'LIST-1', 'CREATE-1', 'VER-2', 'BAN-1'].map(
    (id): Named => [`for ${id} alone`, { ...COMPLETE, spendDay: true, selection: only('selected', id) }],
  ),
  ['in a quick run', { ...COMPLETE, selection: only('quick', ...quickIds) }],
  ['against a token bucket', { ...COMPLETE, algorithm: 'token-bucket' }],
  ...against('half-the-limit', 'window-of-a-second', 'limit-never-comes-back', 'remaining-two-less-on-400'),
  ...against('updates-lost', 'a-third-at-each-of-three-replicas', 'window-of-two-minutes'),
  ...against('bucket-of-five-loses-updates'),
  ...to('a-window-after-a-slow-bucket', 'penalty-of-two-windows'),
  ...withSmallDay('day-not-enforced', 'day-retry-after-a-minute', 'beyond-the-day-403'),
];

/** A link that loses every so many responses. */
const losing = (every: number, there = 0.2): VirtualRun => {
  let sent = 0;
  const loss = () => (++sent % every === 0 ? ({ lost: 'response', seenAs: 'reset' } as const) : undefined);
  return { network: { there: () => there, back: () => 0.2, loss } };
};

const SLOW: VirtualRun = { network: { there: () => 400, back: () => 400 } };

/** A server that answers some requests with a status of its own. */
const answering = (statusTo: (request: Request) => number | undefined): VirtualRun => ({
  fault: {
    wrapService: (answer) => (request) => {
      const status = statusTo(request);
      const type = status === 404 ? 'text/html' : 'text/plain';
      return status === undefined
        ? answer(request)
        : { kind: 'response', status, headers: [['Content-Type', type]], body: Buffer.from('no') };
    },
  },
});

/** A server that limits the first request with the key, and is out of order before the end of the quota. */
const outageAfterLimit = (): VirtualRun => {
  let sent = 0;
  return answering(() => {
    sent += 1;
    if (sent === 2) return 429;
    return sent > 60 ? 503 : undefined;
  });
};

/** By these statuses a firewall may reject any path but the specified one. */
const REJECTED_PATHS: Readonly<Record<string, number>> = {
  '/v1/CATEGORIES': 423,
  '/v1/categories.json': 418,
  '/v1/%63ategories': 503,
  '/v1/categories/.': 403,
};

const withLimit = (perMinute: number): VirtualRun => {
  const { plans, ...windows } = loadPlans();
  return { plans: { ...windows, plans: { ...plans, free: { perMinute, perDay: 100_000 } } } };
};

const FAST_BUCKET: VirtualRun = {
  algorithm: 'token-bucket',
  fault: withQuota('minute', (quota) => ({ ...quota, windowMs: quota.windowMs / 10 })),
};

/** Targets, links and keys to which a run sends yet something else: these are kept as digests alone. */
const FURTHER: readonly Named[] = [
  ...against('never-limited', 'bucket-of-twenty-answers-503', 'too-many-requests-503', 'ban-for-ever'),
  ...against('headers-only-on-429', 'missing-key-403', 'missing-key-500', 'limits-every-other-request'),
  ...against('unknown-key-429', 'not-modified-without-headers', 'second-page-lacks-categories'),
  ...against('concurrent-creations-lost', 'window-of-45-seconds', 'window-of-55-seconds'),
  ...to('other-key-always-exhausted', 'other-key-exhausted', 'key-exhausted', 'key-half-used'),
  ...to('named-operations-unknown-to-the-gateway', 'unauthenticated-limited-to-five'),
  ...to('address-banned-for-missing-keys', 'address-locked-out-after-forty', 'failed-logins-locked-out'),
  ...to('key-without-a-day', 'bucket-of-one', 'descriptions-as-sentences', 'names-of-letters'),
  ...to('descriptions-of-ten-beside-letters', 'twelve-categories-at-most', '5-in-flight'),
  ...to('two-categories-at-most', 'slower-than-the-window', 'long-list-over-a-slow-link'),
  ...to('outage-at-the-end-of-the-quota', 'penalty-of-an-hour', 'two-keys-of-one-account'),
  ...to('no-date-header', 'headers-describe-the-day', 'day-ends-during-the-run'),
  ...[1, 2, 5].map((limit): Named => [`to a limit of ${limit}`, { ...COMPLETE, ...withLimit(limit) }]),
  [
    'to a limit of 10, where another key is exhausted',
    { ...COMPLETE, ...withLimit(10), fault: findVariant('other-key-always-exhausted') },
  ],
  [
    'where no other client uses the key, against half-the-limit-later',
    { ...COMPLETE, exclusiveKey: true, fault: findFault('half-the-limit-later') },
  ],
  [
    'where no other client uses the key, to a counter beside one request in flight',
    { fault: findVariant('1-in-flight'), algorithm: 'fixed-window', exclusiveKey: true },
  ],
  ['against a bucket that fills in a tenth of the window', { ...COMPLETE, ...FAST_BUCKET }],
  ['to another server', { ...COMPLETE, ...answering(() => 404) }],
  [
    'to a server without a list',
    { ...COMPLETE, ...answering(({ method }) => (method === 'GET' ? 404 : undefined)) },
  ],
  ['to an outage after a 429', { ...COMPLETE, ...outageAfterLimit() }],
  ['behind a firewall', { ...COMPLETE, ...answering(({ target }) => REJECTED_PATHS[target]) }],
  ...against('bucket-of-five-loses-updates', 'every-fifth-request-counts-twice').map(
    ([what, run]): Named => [`over a slow link, ${what}`, { ...run, ...SLOW }],
  ),
  [
    'where another client uses the key',
    { otherClientTimes: Array.from({ length: 300 }, (_, i) => i * 2700) },
  ],
  ['to a slow target', { ...COMPLETE, ...SLOW }],
  ['over a link that loses responses', { ...COMPLETE, ...losing(13) }],
  ['over such a link, against never-limited', { ...losing(2), fault: findFault('never-limited') }],
  ...withSmallDay('day-half-as-large', 'day-retry-after-absent', 'half-the-limit', 'too-many-requests-401'),
  ['with a small day, to unshown-rolling-day', { ...SMALL_DAY, fault: findVariant('unshown-rolling-day') }],
  ['with a small day, over a link that loses responses', { ...SMALL_DAY, ...losing(7, 2000) }],
  ['with a small day, over one that loses most', { ...SMALL_DAY, ...losing(2) }],
  [
    'with a small day, over such a link, against day-not-enforced',
    { ...SMALL_DAY, ...losing(2), fault: findFault('day-not-enforced') },
  ],
];

const declared = new Map<string, ReadonlySet<string>>(
  [...probes, closingList].map(({ id, steps }) => [id, new Set(Object.values(steps))]),
);

/** What a run sent. */
interface Sent {
  /** By probe: a line for each step and each wait of a second or more, with how often it came. */
  readonly byProbe: ReadonlyMap<string, string>;
  /** Stands for everything that the lines leave out: order, headers, bodies, connections and exact moments. */
  readonly digest: string;
}

async function sentBy(run: VirtualRun): Promise<Sent> {
  const byProbe = new Map<string, Map<string, number>>();
  const digest = createHash('sha256');
  let until = Number.POSITIVE_INFINITY;
  for (const line of (await virtualRun(run)).lines) {
    if (line.kind !== 'exchange') continue;
    const { probe, step, caller, connection, request, sent, received } = line;
    assert.ok(declared.get(probe)?.has(step), `the probe ${probe} declares the step "${step}"`);
    digest.update(JSON.stringify([probe, step, caller, connection, request, Math.round(sent.mono)]));
    const waited = Math.round((sent.mono - until) / 1000);
    until = received.mono;
    const wait = waited >= 1 ? `after ${waited} s ` : '';
    const text = `${wait}${step}: ${request.method} ${request.target.replace(/\?.*/, '?…')}, ${caller}`;
    const own = byProbe.get(probe) ?? new Map<string, number>();
    byProbe.set(probe, own.set(text, (own.get(text) ?? 0) + 1));
  }
  return {
    byProbe: new Map([...byProbe].map(([probe, own]) => [probe, `${probe}\n${textOf(own)}`])),
    digest: digest.digest('hex').slice(0, 12),
  };
}

const textOf = (own: ReadonlyMap<string, number>): string =>
  [...own].map(([text, times]) => `  ${text}${times === 1 ? '' : ` (${times})`}\n`).join('');

test('a run sends what it is known to send, with these waits, each request with a step that its probe declares', async () => {
  let complete: Sent | undefined;
  let page = '';
  for (const [what, run] of RUNS) {
    const { byProbe, digest } = await sentBy(run);
    const missing = [...(complete?.byProbe.keys() ?? [])].filter((probe) => !byProbe.has(probe));
    const other = [...byProbe].filter(([probe, text]) => complete?.byProbe.get(probe) !== text);
    page += `# ${what}${complete === undefined ? '' : ', where it differs'}\n\n`;
    page += `digest of every request: ${digest}\n\n`;
    if (missing.length > 0) page += `nothing of ${missing.join(', ')}\n\n`;
    page += other.map(([, text]) => `${text}\n`).join('');
    complete ??= { byProbe, digest };
  }
  page += '# digests of further runs\n\n';
  for (const [what, run] of FURTHER) page += `${what}: ${(await sentBy(run)).digest}\n`;
  assertPage(PAGE, page);
});
