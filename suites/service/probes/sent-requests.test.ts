import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { runWith } from '../../../evaluation/simulation/run-options.ts';
import type { VirtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { Selection } from '../../../kernel/findings/tested.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { quickIds } from '../run/select.ts';

// What a run sends and how long it waits, for a person to read: whoever changes a probe sees what follows. Where the
// change is meant, WRITE_SENT_REQUESTS=1 writes the page again.

const PAGE = 'suites/service/probes/sent-requests.txt';

/** Targets to which a run sends something else than to a conforming one. */
const FAULTS = [
  ...['half-the-limit', 'window-of-a-second', 'limit-never-comes-back', 'remaining-two-less-on-400'],
  ...['updates-lost', 'a-third-at-each-of-three-replicas', 'window-of-two-minutes'],
  'bucket-of-five-loses-updates',
] as const;

/** Conforming targets of the same kind. */
const VARIANTS = ['a-window-after-a-slow-bucket', 'penalty-of-two-windows'] as const;

/** Targets to which a run sends another number of requests when it uses the day. */
const DAYS = ['day-not-enforced', 'day-retry-after-a-minute', 'beyond-the-day-403'] as const;

const COMPLETE: VirtualRun = { withDisposableKey: true, thorough: true };

const only = (kind: Selection['kind'], ...requirements: readonly string[]): Selection => ({
  kind,
  requirements: [...requirements],
});

const RUNS: readonly (readonly [what: string, run: VirtualRun])[] = [
  ['a complete run', COMPLETE],
  ['with the key under test alone', { withoutOtherKey: true, withoutExhaustedKey: true }],
  ['with a key of Pro', { ...COMPLETE, plan: 'pro' }],
  ['with a whole day', { spendDay: true }],
  ...['LIMIT-1', 'LIMIT-9', 'LIST-1', 'CREATE-1', 'VER-2', 'BAN-1'].map(
    (id) => [`for ${id} alone`, { ...COMPLETE, spendDay: true, selection: only('selected', id) }] as const,
  ),
  ['in a quick run', { ...COMPLETE, selection: only('quick', ...quickIds) }],
  ['against a token bucket', { ...COMPLETE, algorithm: 'token-bucket' }],
  ...FAULTS.map((id) => [`against ${id}`, { ...COMPLETE, fault: findFault(id) }] as const),
  ...VARIANTS.map((id) => [`to ${id}`, { ...COMPLETE, fault: findVariant(id) }] as const),
  ...DAYS.map(
    (id) => [`with a small day, against ${id}`, { ...runWith(['used day']), fault: findFault(id) }] as const,
  ),
];

/** What each probe sent: a line for each step and each wait of a second or more, with how often it came. */
async function sentBy(run: VirtualRun): Promise<ReadonlyMap<string, string>> {
  const byProbe = new Map<string, Map<string, number>>();
  let until = Number.POSITIVE_INFINITY;
  for (const line of (await virtualRun(run)).lines) {
    if (line.kind !== 'exchange') continue;
    const { probe, step, caller, request, sent, received } = line;
    const waited = Math.round((sent.mono - until) / 1000);
    until = received.mono;
    const wait = waited >= 1 ? `after ${waited} s ` : '';
    const text = `${wait}${step}: ${request.method} ${request.target.replace(/\?.*/, '?…')}, ${caller}`;
    const own = byProbe.get(probe) ?? new Map<string, number>();
    byProbe.set(probe, own.set(text, (own.get(text) ?? 0) + 1));
  }
  return new Map([...byProbe].map(([probe, own]) => [probe, `${probe}\n${textOf(own)}`]));
}

const textOf = (own: ReadonlyMap<string, number>): string =>
  [...own].map(([text, times]) => `  ${text}${times === 1 ? '' : ` (${times})`}\n`).join('');

test('a run sends what it is known to send, and with these waits', async () => {
  const complete = await sentBy(COMPLETE);
  let page = '';
  for (const [what, run] of RUNS) {
    const sent = await sentBy(run);
    const isFirst = page === '';
    const missing = [...complete.keys()].filter((probe) => !sent.has(probe));
    const other = [...sent].filter(([probe, text]) => isFirst || complete.get(probe) !== text);
    page += `# ${what}${isFirst ? '' : ', where it differs'}\n\n`;
    if (missing.length > 0) page += `nothing of ${missing.join(', ')}\n\n`;
    page += `${other.map(([, text]) => text).join('\n')}\n`;
  }
  if (process.env['WRITE_SENT_REQUESTS'] === '1') writeFileSync(PAGE, page);
  assert.equal(page, readFileSync(PAGE, 'utf8'));
});
