import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clientFinding,
  judgedClient,
  limited,
  list,
  waits,
} from '../../../evaluation/testing/clients/scripted.ts';
import type { StatedRequest, StatedStart } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal, headersOf } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { backoffAfterSeconds, backoffAfterZero, parallelTasks, waitSeconds } from '../scenarios/index.ts';

/** The client gave its request up when the 429 came, and sends it again by its own time. */
const givenUp = { ...limited(0, '3'), unread: true };

test('a client that gave a request up did not read its 429: it has to wait for nothing', () => {
  const early = [givenUp, { ...limited(400, '3'), connection: 2 }, list(3401)];
  const journal = clientJournal(waits({ seconds: early }));
  assert.equal(clientFinding(journal, 'CLIENT-1').verdict, 'pass');
  assert.match(judgedClient(journal).remarks.join(' '), /reset the connection of 1 429 response/);
  const read = clientJournal(waits({ seconds: early.map((one) => ({ ...one, unread: false })) }));
  assert.equal(clientFinding(read, 'CLIENT-1').verdict, 'fail');
});

test('what it does after the next 429, which it has read, counts', () => {
  const seconds = [givenUp, { ...limited(400, '3'), connection: 2 }, { ...list(1000), connection: 2 }];
  assert.equal(clientFinding(clientJournal(waits({ seconds })), 'CLIENT-1').verdict, 'fail');
});

test('a task that gave its request up has not learnt of the limit of all', () => {
  const requests = [
    { at: 0, took: 100, status: 429, retryAfter: '4', unread: true },
    { at: 1, took: 799, inFlight: 2, connection: 2 },
    { at: 2, took: 799, inFlight: 3, connection: 3 },
    { at: 3, took: 799, inFlight: 4, connection: 4 },
    { at: 300, status: 429, retryAfter: '4', connection: 5 },
    list(4500),
  ];
  const journal = clientJournal([...waits(), { scenario: parallelTasks, requests }]);
  assert.equal(clientFinding(journal, 'CLIENT-3').verdict, 'inconclusive');
});

test('the delays of a start with such a 429 are not those of its backoff', () => {
  const constant = (scenario: StatedStart['scenario'], after: string): StatedStart => {
    const later = [1, 2, 3, 4, 5].map((at) => limited(4000 * at, after));
    return { scenario, requests: [{ ...limited(0, after), unread: true }, ...later, list(24_000)] };
  };
  const both = [constant(backoffAfterSeconds, '1'), constant(backoffAfterZero, '0')];
  const starts = [...both, ...both, ...both];
  const finding = clientFinding(clientJournal(starts), 'CLIENT-2');
  assert.equal(finding.verdict, 'inconclusive');
  assert.match(finding.because, /no start of the client shows its delays/);
});

const PREFIX = '/s-0123456789abcdef';
const OTHER = 9;

/** The starts of a client that keeps every wait, each with this request in the middle of its wait. */
const withRequest = (one: Omit<StatedRequest, 'at'>): readonly StatedStart[] =>
  waits().map((start) => ({
    ...start,
    prefix: PREFIX,
    requests: [
      ...start.requests.map((own) => ({ ...own, target: `${PREFIX}/v1/categories` })),
      { at: 700, status: 401, connection: OTHER, ...one },
    ].sort((a, b) => a.at - b.at),
  }));

const foreign = [['Host', '127.0.0.1']] as const;
const json = [['Content-Type', 'application/json']] as const;
/** What CLIENT-1 and CLIENT-4 find where this request is taken for one of the client, and nothing where it is not. */
const rows: readonly (readonly [what: string, request: Omit<StatedRequest, 'at'>, found?: string])[] = [
  ['of another program without a key', { headers: foreign }],
  ['of another program with a key of its own', { headers: [['Authorization', 'Bearer k1']] }],
  ['of another program for another start', { target: '/s-ffff/v1/categories', headers: foreign }],
  ['of a browser for its icon', { target: '/favicon.ico', headers: foreign }],
  ['with the path and no key', { target: `${PREFIX}/v1/categories`, headers: foreign }, 'pass fail'],
  ['with the key and without the path', { headers: headersOf('GET'), status: 429 }, 'fail pass'],
  ['with the key in the query and without the path', { target: '/v1/categories?k=[key]' }, 'fail warn'],
  ['without both, on a connection of the client', { headers: foreign, connection: 1 }, 'pass fail'],
  ['with the key in its body alone', { method: 'POST', headers: json, body: '{"k":"[key]"}' }, 'pass fail'],
];

for (const [what, request, found] of rows) {
  test(`a request ${what}: ${found ?? 'not judged'}`, () => {
    const { requirements, remarks } = judgedClient(clientJournal(withRequest(request)));
    const judged = requirements.filter(({ id }) => id === 'CLIENT-1' || id === 'CLIENT-4');
    assert.equal(judged.map(({ verdict }) => verdict).join(' '), found ?? 'pass pass');
    assert.equal(/another program that used the port/.test(remarks.join()), found === undefined);
  });
}

test('the prefix of a start stands in no judgement', () => {
  const record = judgedClient(clientJournal(withRequest({ headers: foreign })));
  assert.ok(!JSON.stringify(record).includes(PREFIX));
  assert.match(JSON.stringify(record), /GET \/v1\/categories/);
});

test('a target with scheme and host is that of the same operation', () => {
  const target = `http://127.0.0.1:8080${PREFIX}/v1/categories`;
  const record = judgedClient(clientJournal(withRequest({ target, headers: foreign })));
  assert.equal(record.requirements.find(({ id }) => id === 'CLIENT-4')?.verdict, 'fail');
  assert.ok(!JSON.stringify(record).includes(`:8080${PREFIX}`));
});

test('where a start has no address of its own, every request is of the client', () => {
  const starts = withRequest({ headers: foreign }).map(({ scenario, requests }) => ({ scenario, requests }));
  const { requirements } = judgedClient(clientJournal(starts));
  assert.equal(requirements.find(({ id }) => id === 'CLIENT-4')?.verdict, 'fail');
});

const remarksOn = (start: Omit<StatedStart, 'scenario'>): string =>
  judgedClient(clientJournal([...waits(), { scenario: waitSeconds, ...start }])).remarks.join(' ');

const failed = { kind: 'exited', code: 1 } as const;
const printed = 'Traceback\n  File "client.py", line 3\nValueError: invalid literal for int()\n';

test('a client that ends at its first 429 is quoted with what it printed', () => {
  assert.match(
    remarksOn({ requests: [limited(0, '3')], exit: failed, printed }),
    /In 1 start the client sent nothing after its first 429 response, and did not end with status 0\. It printed: "ValueError: invalid literal for int\(\)"\./,
  );
});

for (const [what, start] of [
  ['goes on', { requests: [limited(0, '3'), list(3001)], exit: failed, printed }],
  ['retried before', { requests: [limited(0, '3'), limited(3001, '3')], exit: failed, printed }],
  ['succeeds', { requests: [limited(0, '3')], printed }],
  ['prints nothing', { requests: [limited(0, '3')], exit: failed }],
] as const) {
  test(`a client that ${what} is not`, () => {
    assert.doesNotMatch(remarksOn(start), /first 429/);
  });
}
