import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceTime, VirtualClock } from '../../../evaluation/simulation/service-time.ts';
import { ServiceWire } from '../../../evaluation/simulation/service-wire.ts';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { rawServer } from '../../../evaluation/testing/suites/raw-server.ts';
import { reasonsOf } from '../../../evaluation/testing/verdicts.ts';
import { PARAMETERS } from '../../../interfaces/options/command-line.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import type { Seams } from '../../../reference-server/seams.ts';
import type { Outcome, RequestHandler, Response } from '../../../reference-server/service/message.ts';
import { createService } from '../../../reference-server/service/service.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judge } from '../judge/judge.ts';
import type { JournalLine } from '../model/journal.ts';
import type { Keys } from '../wire/keyring.ts';
import { furtherKeysIn } from '../wire/keyring.ts';
import { recordRun } from './record-run.ts';
import { recordOverHttp } from './record-to-file.ts';
import { settleRun } from './run-settings.ts';

const plans = loadPlans();

/** A quick run against this address. */
const settingsOf = (baseUrl: URL, keys: Keys) => ({
  ...settleRun({ quick: true }, { plans, furtherKeys: furtherKeysIn(keys), names: PARAMETERS }),
  target: { baseUrl, keys, certificateAuthority: undefined, headers: [], proxied: false },
  specification: { version: '1', digest: '' },
});

/** A quick run to whose requests something may happen: how its journal ends, and what is thrown. */
async function endOf(
  event: (request: number, user: AbortController) => Outcome | undefined,
  basePath = '/v1',
) {
  const clock = new VirtualClock();
  const service = createService({ plans, clock: new ServiceTime(clock) });
  const keys = { key: service.keys.free[0] ?? '' };
  const settings = settingsOf(new URL(`http://127.0.0.1:8080${basePath}`), keys);
  const user = new AbortController();
  let requests = 0;
  const answer: RequestHandler = (request) => {
    requests += 1;
    return event(requests, user) ?? service.handle(request);
  };
  const lines: JournalLine[] = [];
  const equipment = {
    wire: new ServiceWire(answer, clock),
    clock,
    journal: { append: (line: JournalLine) => void lines.push(line) },
    signal: user.signal,
  };
  const thrown = await clock.run(recordRun(settings, equipment)).then(
    () => undefined,
    ({ name }: Error) => name,
  );
  const last = lines.at(-1);
  return { end: last?.kind === 'end' ? `${last.how}: ${last.because}` : last?.kind, thrown, requests };
}

test('a run that sent everything is finished', async () => {
  const { end, thrown } = await endOf(() => undefined);
  assert.deepEqual([end, thrown], ['finished: every probe ran', undefined]);
});

test('a run that its user interrupts says so, and sends nothing more', async () => {
  const interrupted = await endOf((request, user) => (request === 5 ? void user.abort() : undefined));
  assert.deepEqual(interrupted, {
    end: 'interrupted: the run was interrupted',
    thrown: 'AbortError',
    requests: 5,
  });
});

test('an interruption ends a request under way, of which nothing is recorded', {
  timeout: 20_000,
}, async () => {
  const user = new AbortController();
  await using silent = await rawServer(() => user.abort());
  const kinds: string[] = [];
  const journal = { append: ({ kind }: JournalLine) => void kinds.push(kind) };
  const settings = settingsOf(silent.baseUrl, { key: 'key-of-a-silent-target' });
  await assert.rejects(recordOverHttp(settings, { journal, signal: user.signal }), { name: 'AbortError' });
  assert.equal(kinds.at(-1), 'end');
  assert.ok(!kinds.includes('exchange'));
});

test('a run that loses its target has failed', async () => {
  const { end, thrown } = await endOf(() => ({ kind: 'dropped' }));
  assert.match(end ?? '', /^failed: .*other side closed/);
  assert.equal(thrown, 'TargetLostError');
});

test('the journal of a run that a defect stops has no end', async () => {
  const { end, thrown } = await endOf(() => {
    throw new RangeError('a defect');
  });
  assert.deepEqual([end, thrown], ['probe', 'RangeError']);
});

/** A gateway that cannot reach the service at every n-th request, before the service counts it or after. */
const unavailableAtEvery = (n: number, counted: boolean): Seams => ({
  wrapService: (answer) => {
    let requests = 0;
    return (request) => {
      requests += 1;
      if (requests % n !== 0) return answer(request);
      if (counted) answer(request);
      return {
        kind: 'response',
        status: 503,
        headers: [['Content-Type', 'text/plain']],
        body: Buffer.from('no upstream'),
      };
    };
  },
});

test('a gateway that is sometimes unavailable causes no fail', async () => {
  for (const counted of [false, true]) {
    for (const n of [7, 11, 20, 23, 37, 50, 61, 67, 68, 69]) {
      const { record } = await virtualRun({ fault: unavailableAtEvery(n, counted) });
      assert.deepEqual(reasonsOf(record, 'fail'), [], `at every request number ${n}`);
      assert.equal(record.requirements.find(({ id }) => id === 'HTTP-4')?.verdict, 'warn');
    }
  }
});

test('a 503 at the end of the quota explains why no 429 was seen', async () => {
  const { record } = await virtualRun({ fault: findFault('too-many-requests-503') });
  const said = (id: string) => record.requirements.find((one) => one.id === id);
  assert.equal(said('LIMIT-3')?.verdict, 'fail');
  assert.match(said('RETRY-1')?.because ?? '', /^No 429 response was received\. Exchange \d+ returned 503,/);
  assert.match(said('LIMIT-2')?.because ?? '', /too few requests were accepted \(\d+\).* returned 503,/);
});

const answer = (status: number, type: string, body: string, ...headers: [string, string][]): Response => ({
  status,
  headers: [['Content-Type', type], ['Date', new Date(0).toUTCString()], ...headers],
  body: Buffer.from(body),
});
const page = (status: number): Response => answer(status, 'text/html', '<!DOCTYPE html><h1>Hello</h1>');

/** Another server, which answers every request like this. */
const always = (response: (method: string) => Response): Seams => ({
  wrapService: () => (request) => ({ kind: 'response', ...response(request.method) }),
});

const others: Readonly<Record<string, Seams>> = {
  'a static file server': always((method) => page(method === 'GET' ? 404 : 501)),
  'a single-page application': always(() => page(200)),
  'a gateway that redirects to a login page': always(() =>
    answer(302, 'text/html', '', ['Location', '/login']),
  ),
  'an API without these paths': always(() => answer(404, 'application/json', '{"detail":"Not Found"}')),
  'a server that supports GET alone': always((method) =>
    method === 'GET' ? page(404) : answer(405, 'text/html', '<html>', ['Allow', 'GET, HEAD']),
  ),
};
const verdicts = ({ requirements }: RunRecord) => new Set(requirements.map(({ verdict }) => verdict));

for (const [what, fault] of Object.entries(others)) {
  test(`${what} gets no verdict, a headline, six requests at most, and no fail where its journal ends earlier`, async () => {
    const { record, lines } = await virtualRun({ fault });
    assert.equal(record.headline?.kind, 'wrong-target');
    assert.deepEqual(verdicts(record), new Set(['inconclusive', 'not-tested']));
    assert.ok(record.requests.total <= 6 && record.requests.keyed === 2, JSON.stringify(record.requests));
    assert.deepEqual(record.causes, []);
    const end = lines.at(-1);
    assert.ok(end?.kind === 'end' && end.how === 'failed' && end.because.startsWith(record.headline.text));
    const specification = await loadSpecification();
    for (let end = 1; end < lines.length; end += 1) {
      const found = verdicts(
        judge({ lines: lines.slice(0, end), damage: [] }, specification, { strict: true }),
      );
      assert.ok(!found.has('fail'), `cut after line ${end}`);
    }
  });
}

for (const [what, basePath, creation, requests] of [
  ['another server', '/v1', page(404), 3],
  ['another server, at an address without a version,', '', page(404), 4],
  [
    'a service without a list, at such an address,',
    '',
    answer(400, 'application/json', '{"code":"a","message":"b","status":400}'),
    73,
  ],
] as const) {
  test(`${what} gets one request more only where /v1 may be missing`, async () => {
    const end = await endOf(
      (request) => ({ kind: 'response', ...(request === 3 ? creation : page(404)) }),
      basePath,
    );
    assert.equal(end.requests, requests);
  });
}

/** An implementation without a list that conforms otherwise. */
const withoutList: Seams = {
  wrapService: (serve) => (request) => {
    const response = serve(request);
    const isList = request.method === 'GET' && response.kind === 'response' && response.status === 200;
    return isList
      ? { ...response, status: 404, body: Buffer.from('{"code":"a","message":"b","status":404}') }
      : response;
  },
};

test('an implementation without a list is the service, and its violation is found', async () => {
  const { record } = await virtualRun({ fault: withoutList });
  assert.equal(record.headline, undefined);
  assert.equal(record.outcome, 'violates');
  assert.equal(record.requirements.find(({ id }) => id === 'LIST-1')?.verdict, 'fail');
});

test('a conforming service gets no further request', async () => {
  const { record, lines } = await virtualRun();
  assert.equal(record.headline, undefined);
  assert.ok(!lines.some((line) => line.kind === 'exchange' && line.probe === 'target-check'));
  assert.equal(record.requests.keyed, 62);
});
