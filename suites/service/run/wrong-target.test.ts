import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import type { Seams } from '../../../reference-server/seams.ts';
import type { Response } from '../../../reference-server/service/message.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judge } from '../judge/judge.ts';

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
  test(`${what} gets no verdict, a headline, and six requests at most`, async () => {
    const { record, lines } = await virtualRun({ fault });
    assert.equal(record.headline?.kind, 'wrong-target');
    assert.deepEqual(verdicts(record), new Set(['inconclusive', 'not-tested']));
    assert.ok(record.requests.total <= 6 && record.requests.keyed === 2, JSON.stringify(record.requests));
    assert.deepEqual(record.causes, []);
    const end = lines.at(-1);
    assert.ok(end?.kind === 'end' && end.how === 'failed' && end.because.startsWith(record.headline.text));
  });

  test(`${what} gets no fail from a journal that ends earlier`, async () => {
    const { lines } = await virtualRun({ fault });
    const specification = await loadSpecification();
    for (let end = 1; end < lines.length; end += 1) {
      const found = verdicts(
        judge({ lines: lines.slice(0, end), damage: [] }, specification, { strict: true }),
      );
      assert.ok(!found.has('fail'), `cut after line ${end}`);
    }
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
