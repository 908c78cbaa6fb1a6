import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATTACHED,
  after429,
  afterDate,
  clientFinding,
  creation,
  judgedClient,
  limited,
  list,
  waits,
} from '../../../evaluation/testing/clients/scripted.ts';
import type { StatedRequest, StatedStart } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { COMMAND, clientJournal, headersOf } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { breaches } from '../../../evaluation/testing/reports/contracts.ts';
import { gateOf } from '../../../kernel/findings/gate.ts';
import { clientRecord } from '../../../kernel/findings/record.ts';
import type { ClientDescription, ClientExit, ClientJournalLine } from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import {
  backoffAfterSeconds,
  backoffAfterZero,
  invalidBody,
  limitedForEver,
  parallelTasks,
  scenarios,
  spreadRetries,
  waitSeconds,
  watchedClient,
} from '../scenarios/index.ts';
import { judgeClient } from './judge-client.ts';

const verdicts = (lines: readonly ClientJournalLine[], strict = false): Readonly<Record<string, string>> =>
  Object.fromEntries(judgedClient(lines, strict).requirements.map(({ id, verdict }) => [id, verdict]));

const WATCHED = { kind: 'watched', target: 'http://127.0.0.1:8080/v1', where: 'this host' } as const;
const INTERRUPTED = {
  kind: 'end',
  how: 'interrupted',
  because: 'Ctrl-C',
  finishedAt: '2026-11-22T12:00:09.000Z',
} as const;
const OVER = { kind: 'stopped', because: 'watched' } as const;
const ended = (exit: ClientExit, starts: readonly StatedStart[]) => starts.map((one) => ({ ...one, exit }));

test('a client of which only the waits were tested', () => {
  assert.deepEqual(verdicts(clientJournal(waits())), {
    'CLIENT-1': 'pass',
    'CLIENT-2': 'inconclusive',
    'CLIENT-3': 'inconclusive',
    'CLIENT-4': 'pass',
  });
});

test('a start that was cut off or interrupted proves no conformance, and keeps its violations', () => {
  const cut: readonly (readonly StatedStart[])[] = [
    waits().map((one, at) => (at === 1 ? { ...one, exit: null } : one)),
    ended({ kind: 'stopped', because: 'interrupted' }, waits()),
  ];
  for (const starts of cut) {
    assert.equal(verdicts(clientJournal(starts, COMMAND, INTERRUPTED))['CLIENT-1'], 'inconclusive');
  }
  const early = after429(list(10)).map((one) => ({ ...one, exit: null }));
  const journal = clientJournal(early, COMMAND, 'cut off');
  assert.equal(verdicts(journal)['CLIENT-1'], 'fail');
  assert.match(judgedClient(journal).remarks.join(' '), /no last line/);
  assert.equal(judgedClient(journal).lacking, true);
});

const everyStart = scenarios
  .filter(({ when }) => when === 'always')
  .flatMap((scenario) => Array.from({ length: scenario.repetitions }, () => ({ scenario, requests: [] })));

const oneLess = everyStart.filter((_, at) => at !== 4);
const reversed = [...everyStart, { scenario: waitSeconds, requests: [{ ...list(5), took: -2 }] }];
for (const [what, starts, remark] of [
  ['every start', everyStart, undefined],
  ['one repetition less', oneLess, /state every start of backoff-after-seconds, which/],
  ['a response before its request', reversed, /The times of exchange 1 are those of no run/],
] as const) {
  test(`a journal with ${what} is ${remark === undefined ? '' : 'in'}complete`, () => {
    const { lacking, remarks } = judgedClient(clientJournal(starts));
    assert.equal(lacking, remark === undefined ? undefined : true);
    if (remark !== undefined) assert.match(remarks.join('\n'), remark);
  });
}

test('a start of which the journal has nothing has no timeline, and one that broke off after a request has one', () => {
  for (const requests of [[], [list(0)]]) {
    const brokeOff = { scenario: spreadRetries, requests, exit: null };
    const { timelines } = judgedClient(clientJournal([...waits(), brokeOff], COMMAND, 'cut off'));
    assert.equal(timelines.length, waits().length + requests.length);
  }
});

for (const [scenario, exit, id, verdict] of [
  [spreadRetries, { kind: 'exited', code: 1 }, 'CLIENT-1', 'pass'],
  [spreadRetries, { kind: 'stopped', because: 'watched' }, 'CLIENT-1', 'pass'],
  [spreadRetries, { kind: 'stopped', because: 'interrupted' }, 'CLIENT-1', 'inconclusive'],
  [spreadRetries, { kind: 'not-started', because: 'ENOENT' }, 'CLIENT-1', 'inconclusive'],
  [spreadRetries, null, 'CLIENT-1', 'inconclusive'],
  [spreadRetries, null, 'CLIENT-4', 'pass'],
  [invalidBody, null, 'CLIENT-1', 'pass'],
] as const) {
  const how = exit === null ? 'cut off' : Object.values(exit).join(' ');
  test(`the waits are kept, and a further start of \`${scenario.id}\` is ${how}: ${id} ${verdict}`, () => {
    assert.equal(verdicts(clientJournal([...waits(), { scenario, requests: [list(0)], exit }]))[id], verdict);
  });
}

test('a journal that was cut off anywhere violates nothing that the complete one does not', () => {
  const complete = clientJournal(waits());
  for (let end = 1; end < complete.length - 1; end += 1) {
    for (const [id, verdict] of Object.entries(verdicts(complete.slice(0, end)))) {
      assert.ok(!['fail', 'warn'].includes(verdict), `${id} ${verdict} when cut after line ${end}`);
      assert.ok(verdict !== 'pass' || id === 'CLIENT-4', `${id} passes when cut after line ${end}`);
    }
  }
});

test('a client that was not started, or sends nothing, has no verdict and a headline', () => {
  for (const [how, text] of [
    [{ kind: 'not-started', because: 'ENOENT' }, /it was not started: ENOENT/],
    [{ kind: 'exited', code: 1 }, /it exited with status 1/],
  ] as const) {
    const starts = ended(how, waits({ seconds: [], creation: [], date: [] }));
    const { headline, outcome, requirements } = judgedClient(clientJournal(starts));
    assert.equal(headline?.kind, 'no-requests');
    assert.match(headline.text, text);
    assert.equal(outcome, 'incomplete');
    assert.ok(requirements.every(({ verdict }) => verdict === 'inconclusive' || verdict === 'not-tested'));
  }
});

test('with --strict every warning fails', () => {
  const client = { ...COMMAND, where: 'another host' } as const;
  const journal = clientJournal(afterDate(list(2000)), client);
  assert.equal(verdicts(journal)['CLIENT-1'], 'warn');
  assert.equal(verdicts(journal, true)['CLIENT-1'], 'fail');
});

test('a flood is judged and named', () => {
  const flood = Array.from({ length: 300 }, (_, at) => limited(2 * at, '3'));
  const exit = { kind: 'stopped', because: 'too-many-requests' } as const;
  const starts = [{ scenario: waitSeconds, requests: flood, exit }];
  const { remarks, requirements, timelines } = judgedClient(clientJournal(starts));
  assert.equal(requirements[0]?.verdict, 'fail');
  assert.match(remarks.join(' '), /it sent too many requests \(wait-seconds\)/);
  assert.equal((timelines[0]?.requests.length ?? 0) + (timelines[0]?.further ?? 0), 300);
});

test('the remarks say of a client without a command that nothing states its tasks, and nothing of one that sent its request', () => {
  const judgedAs = (client: ClientDescription) =>
    judgedClient(clientJournal([{ scenario: waitSeconds, requests: [list(0)], exit: OVER }], client));
  const { headline, remarks } = judgedAs(COMMAND);
  assert.equal(headline, undefined);
  assert.doesNotMatch(remarks.join(' '), /stopped|taken to have one task/);
  assert.match(judgedAs(ATTACHED).remarks.join(' '), /attached by hand, .* has two requests in flight/);
  assert.match(judgedAs(WATCHED).remarks.join(' '), /watched at its own work, .* with one key in flight/);
});

test('a client that was watched is not said to have been stopped', () => {
  const endingIn = (scenario: Scenario) =>
    judgedClient(clientJournal([{ scenario, requests: [list(0)], exit: OVER }])).timelines[0]?.ending;
  assert.equal(endingIn(watchedClient), 'was watched until the run ended');
  assert.equal(endingIn(waitSeconds), 'was stopped, because its scenario had shown what it can');
});

test('a partial run is judged on what was selected, and never conforms', () => {
  const [run, ...lines] = clientJournal(after429(list(5), creation(10)));
  assert.ok(run?.kind === 'client-run');
  const limitedTo = (...requirements: readonly string[]) =>
    judgedClient([{ ...run, selection: { kind: 'selected', requirements } }, ...lines]);
  const early = limitedTo('CLIENT-1');
  assert.deepEqual([early.outcome, early.partial, gateOf(early)], ['violates', 'fail', 'violates']);
  const other = limitedTo('CLIENT-4');
  assert.deepEqual([other.outcome, other.partial, gateOf(other)], ['incomplete', 'pass', 'partial']);
  assert.equal(other.requirements.find(({ id }) => id === 'CLIENT-1')?.verdict, 'not-tested');
  assert.deepEqual(breaches(clientRecord, JSON.parse(JSON.stringify(other))), []);
});

test('the record keeps the published contract', () => {
  const starts = [...everyStart, ...after429(list(1001))];
  for (const client of [COMMAND, ATTACHED, WATCHED]) {
    const record = judgedClient(clientJournal(starts, client));
    assert.deepEqual(breaches(clientRecord, JSON.parse(JSON.stringify(record))), []);
  }
});

test('the fix is that of the library whose requests are cited; it decides nothing, and is none where the program does', () => {
  const agent = (name: string) => [...headersOf('GET'), ['User-Agent', name]] as const;
  const judgedWith = (name: string) => {
    const seconds = [
      { ...limited(0, '3'), headers: agent(name) },
      { at: 5, headers: agent(name) },
      { at: 4000, headers: [['User-Agent', 'curl/8.0']] as const },
    ];
    const { requirements } = judgedClient(clientJournal(waits({ seconds })));
    return (id: string) => {
      const found = requirements.find((one) => one.id === id);
      return { verdict: found?.verdict, fix: found !== undefined && 'fix' in found ? (found.fix ?? '') : '' };
    };
  };
  const [got, own] = [judgedWith('got (https://github.com/sindresorhus/got)'), judgedWith('our-own/1.0')];
  assert.match(got('CLIENT-1').fix, /Retry-After.*names got .*`calculateDelay`/s);
  assert.doesNotMatch(own('CLIENT-1').fix, /User-Agent|curl/);
  assert.equal(got('CLIENT-1').verdict, own('CLIENT-1').verdict);
  assert.match(own('CLIENT-4').fix, /Bearer/);
  assert.doesNotMatch(own('CLIENT-4').fix, /curl/);
});

test('a timeline states arrivals, waits, and what came early', () => {
  const [timeline] = judgedClient(clientJournal(after429(list(1001)))).timelines;
  const operation = 'GET /v1/categories';
  assert.deepEqual(timeline?.requests, [
    { n: 1, operation, arrivedAt: 0, response: { at: 1, status: 429, waitUntil: 3001 } },
    { n: 2, operation, arrivedAt: 1001, response: { at: 1002, status: 200 }, early: 2000 },
  ]);
  assert.equal(timeline?.ending, 'exited with status 0');
});

const retries = (late: (call: number) => number): StatedStart => ({
  scenario: spreadRetries,
  requests: Array.from({ length: 8 }, (_, call) => [
    limited(5000 * call, '1'),
    list(5000 * call + 1001 + late(call)),
  ]).flat(),
});
const rejected = (count: number): StatedStart => ({
  scenario: invalidBody,
  requests: Array.from({ length: count }, (_, at) => ({ at, method: 'POST', status: 400 })),
});
const forEver = (count: number, ...more: readonly StatedRequest[]): StatedStart => ({
  scenario: limitedForEver,
  requests: [...Array.from({ length: count }, (_, at) => limited(1001 * at, '1')), ...more],
});

for (const [id, what, start, shown] of [
  ['CLIENT-5', 'delays that are spread', retries((call) => 40 * call), /spread, as by jitter.*; no advice$/],
  ['CLIENT-5', 'equal delays', retries(() => 3), /Add a random delay/],
  ['CLIENT-5', 'subtracted delays', retries((call) => -100 * call), /never subtract/],
  ['CLIENT-6', 'one invalid request', rejected(1), /; no advice$/],
  ['CLIENT-6', 'two of them', rejected(2), /Do not retry 400/],
  ['CLIENT-6', 'six attempts', forEver(6), /gives up after 6 attempts/],
  ['CLIENT-6', 'six attempts and another call', forEver(6, creation(6010)), /gives up after 6 attempts/],
  ['CLIENT-6', 'attempts while it is watched', { ...forEver(6), exit: OVER }, /no end/],
  ['CLIENT-6', 'thirty attempts', forEver(30), /bounded number/],
] as const) {
  test(`${id} is observed: ${what}`, () => {
    const found = judgedClient(clientJournal([start])).observations.find((one) => one.id === id);
    assert.match(`${found?.value}; ${found?.advice ?? 'no advice'}`, shown);
  });
}

test('a journal of a service is no journal of a client', () => {
  assert.throws(
    () => judgeClient({ lines: [], damage: [] }, { digest: '', schemas: {} } as never, { strict: false }),
    TypeError,
  );
});

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
