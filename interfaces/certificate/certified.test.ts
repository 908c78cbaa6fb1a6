import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Certified } from './certified.ts';
import { shortcomingsOf } from './certified.ts';

const conforms = { outcome: 'conforms', requirements: [{ id: 'LIST-1', verdict: 'pass' }] } as const;
const LIMITS = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const certified = (name: string, limits: Partial<typeof LIMITS> = {}): Certified => ({
  subject: 'https://api.example.com/v1',
  plan: { name, limits: { ...LIMITS, ...limits } },
  bundledServer: false,
  words: 'conforms: core',
  partial: false,
  startedAt: '2026-11-25T10:00:00.000Z',
});

const rows: readonly (readonly [what: string, certified: Certified, sentence: RegExp | undefined])[] = [
  ['the limits of the specification', certified('free'), undefined],
  ['limits that are set by agreement', certified('enterprise', { perMinute: 5 }), undefined],
  ['a client', { ...certified('free'), plan: undefined }, undefined],
  ['lower limits', certified('free', { perMinute: 30 }), /other limits than .* plan free: 60 requests a min/],
  ['a day of another plan', certified('free', { perDay: 10_000 }), /other limits than the specification/],
  ['a plan of the vendor', certified('gold'), /The specification has no plan "gold"/],
  ['a short minute', certified('free', { minuteSeconds: 2 }), /no minute and day/],
];

for (const [what, subject, sentence] of rows) {
  test(`a certificate of ${what} ${sentence === undefined ? 'says' : 'does not say'} that its subject conforms`, () => {
    const [first] = shortcomingsOf(subject, conforms);
    if (sentence === undefined) assert.equal(first, undefined);
    else assert.match(first ?? '', sentence);
  });
}
