import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Certified, ResultOfRun } from './attested-run.ts';
import { shortcomingsOf } from './attested-run.ts';

const conforms = { outcome: 'conforms', requirements: [{ id: 'LIST-1', verdict: 'pass' }] } as const;
const incomplete: ResultOfRun = { ...conforms, outcome: 'incomplete' };
const failed: ResultOfRun = { outcome: 'violates', requirements: [{ id: 'LIST-1', verdict: 'fail' }] };
const LIMITS = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const certified = (name: string, limits: Partial<typeof LIMITS> = {}): Certified => ({
  subject: 'https://api.example.com/v1',
  plan: { name, limits: { ...LIMITS, ...limits } },
  bundledServer: false,
  words: 'conforms: core',
  partial: false,
  startedAt: '2026-11-25T10:00:00.000Z',
});

type Row = readonly [what: string, certified: Certified, sentence: RegExp | undefined, report?: ResultOfRun];

const rows: readonly Row[] = [
  ['the limits of the specification', certified('free'), undefined],
  ['limits that are set by agreement', certified('enterprise', { perMinute: 5 }), undefined],
  ['a client', { ...certified('free'), plan: undefined }, undefined],
  ['lower limits', certified('free', { perMinute: 30 }), /other limits than .* plan free: 60 requests a min/],
  ['a day of another plan', certified('free', { perDay: 10_000 }), /other limits than the specification/],
  ['a plan of the vendor', certified('gold'), /The specification has no plan "gold"/],
  ['a short minute', certified('free', { minuteSeconds: 2 }), /no minute and day/],
  ['a short day', certified('free', { daySeconds: 3600 }), /no minute and day/],
  ['the server of this program', { ...certified('free'), bundledServer: true }, /comes with this program/],
  ['a part', { ...certified('free'), partial: true }, /limited to a part/],
  ['an incomplete part', { ...certified('free'), partial: true }, /^The run was limited/, incomplete],
  ['an incomplete run', certified('free'), /^The run is incomplete/, incomplete],
  ['a failed run', certified('free'), /^The run failed LIST-1\.$/, failed],
];

for (const [what, subject, sentence, report = conforms] of rows) {
  test(`a certificate of ${what} ${sentence === undefined ? 'says' : 'does not say'} that its subject conforms`, () => {
    const found = shortcomingsOf(subject, report);
    assert.equal(found.length, sentence === undefined ? 0 : 1, found.join(' '));
    if (sentence !== undefined) assert.match(found[0] ?? '', sentence);
  });
}
