import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaches, journalContract } from '../../evaluation/testing/reports/contracts.ts';
import type { Body, Exchange } from '../../kernel/exchanges/exchange.ts';
import type { Limits } from '../../spec/plans.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { isJournalLine } from '../../suites/service/model/journal-shape.ts';

const limits: Limits = { perMinute: 60, perDay: 1000, minuteSeconds: 2.5, daySeconds: 86_400 };
const body: Body = { text: '{"name":"Cats"}', encoding: 'utf8', bytes: 15, cut: false };
const part: Body = { excerpt: '{"name":', encoding: 'utf8', bytes: 15, cut: true };
const at = 1_795_238_223_250.5;

const exchange: Exchange = {
  kind: 'exchange',
  n: 1,
  probe: 'creations',
  step: 'with a name alone',
  caller: 'plan:pro',
  connection: { id: 1, fresh: true },
  request: {
    method: 'POST',
    target: '/v1/categories',
    headers: [['Content-Type', 'application/json']],
    body,
  },
  sent: { wall: at, mono: 12.25 },
  received: { wall: at + 3, mono: 15.5 },
  outcome: { kind: 'answer', status: 201, headers: [['__proto__', '']], body: part },
};

/** One line of each kind: a kind that is added to the model is missing here until it is added to the contract. */
const KINDS: { readonly [Kind in JournalLine['kind']]: Extract<JournalLine, { readonly kind: Kind }> } = {
  run: {
    kind: 'run',
    journalVersion: 3,
    suite: { name: 'petstore-conformance', version: '0.1.0' },
    spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
    target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: 'free' },
    limits,
    furtherPlans: { pro: limits, 'a plan of our own': limits },
    inputs: {
      otherKey: true,
      exhaustedKey: false,
      disposableKey: false,
      spendDay: true,
      exclusiveKey: false,
      thorough: false,
      openapi: false,
    },
    probes: [{ id: 'preflight', requests: 3 }],
    startedAt: '2026-11-21T05:17:03.250Z',
  },
  probe: { kind: 'probe', id: 'preflight', at },
  wait: { kind: 'wait', seconds: 1.5, because: 'The window is nearly used up.', at },
  note: { kind: 'note', probe: 'preflight', text: 'Given up.', at },
  document: { kind: 'document', source: 'http://127.0.0.1:8080/openapi.json', text: '{}', at },
  exchange,
  end: { kind: 'end', how: 'interrupted', because: 'By the user.', finishedAt: '2026-11-21T05:18:09.700Z' },
};

const LINES: readonly JournalLine[] = [
  ...Object.values(KINDS),
  {
    ...exchange,
    caller: 'unauthenticated',
    outcome: { kind: 'no-response', cause: 'reset', detail: 'ECONNRESET' },
  },
  { ...exchange, request: { ...exchange.request, body: null } },
  {
    ...exchange,
    outcome: { kind: 'answer', status: 200, headers: [], body: part, broken: 'reset after 3 bytes' },
  },
];

test('a line of every kind keeps the contract', () => {
  for (const line of LINES) {
    assert.deepEqual(breaches(journalContract, JSON.parse(JSON.stringify(line))), [], line.kind);
  }
});

test('no field of a line may be missing, but for those that say so themselves', () => {
  for (const line of LINES) {
    for (const missing of Object.keys(line)) {
      const rest = Object.fromEntries(Object.entries(line).filter(([name]) => name !== missing));
      assert.notDeepEqual(breaches(journalContract, rest), [], `${line.kind} without ${missing}`);
    }
  }
});

test('the reader of journals holds every line to the same fields as the contract', () => {
  for (const line of LINES) {
    assert.ok(isJournalLine(line), line.kind);
    for (const missing of Object.keys(line)) {
      const rest = Object.fromEntries(Object.entries(line).filter(([name]) => name !== missing));
      assert.ok(!isJournalLine(rest), `${line.kind} without ${missing}`);
      assert.ok(!isJournalLine({ ...line, [missing]: [null] }), `${line.kind} with another ${missing}`);
    }
  }
});

test('the first line may say what the product under test is', () => {
  const product = { name: 'Pets', vendor: 'Example Ltd', version: '2.1', configuration: 'in memory' };
  const line = { ...KINDS.run, product };
  assert.deepEqual(breaches(journalContract, line), []);
  assert.ok(isJournalLine(line));
  assert.notDeepEqual(breaches(journalContract, { ...line, product: { name: 1 } }), []);
  assert.ok(!isJournalLine({ ...line, product: { name: 1 } }));
});

test('the contract rejects what a journal never holds', () => {
  const never: readonly unknown[] = [
    { kind: 'pause', at },
    { kind: 'probe', id: 'preflight', at, more: 1 },
    { ...exchange, caller: 'pk_live_1' },
    { ...exchange, caller: 'plan:' },
    { ...exchange, outcome: { kind: 'no-response', cause: 'lazy', detail: '' } },
    { ...exchange, request: { ...exchange.request, headers: [['name without value']] } },
    { ...exchange, request: { ...exchange.request, body: { ...body, encoding: 'latin1' } } },
    { ...exchange, request: { ...exchange.request, body: part } },
    { ...exchange, outcome: { kind: 'answer', status: 200, headers: [], body: { ...body, cut: true } } },
    { ...exchange, outcome: { kind: 'answer', status: 200, headers: [], body: { ...part, cut: false } } },
    {
      ...exchange,
      outcome: { kind: 'answer', status: 200, headers: [], body, broken: 'reset after 3 bytes' },
    },
  ];
  for (const one of never) assert.notDeepEqual(breaches(journalContract, one), [], JSON.stringify(one));
});
