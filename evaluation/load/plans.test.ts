import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { headerValue } from '../../kernel/exchanges/headers.ts';
import type { Finding } from '../../kernel/findings/record.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { RequestHandler } from '../../reference-server/service/message.ts';
import { sampleOf } from '../../tools/sample.ts';
import type { VirtualLoad } from './virtual-load.ts';
import { virtualLoad } from './virtual-load.ts';

const FLEET = ['pro', 'free', 'business', 'free'];

async function findingsOf(load: Omit<VirtualLoad, 'profile'>): Promise<readonly Finding[]> {
  const { record } = await virtualLoad({ profile: 'plans', fleetOf: FLEET, exclusive: true, ...load });
  return record.requirements;
}

/** The findings that did not pass, as `ID verdict`. */
const trouble = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => `${id} ${verdict}`);

const keyOf = (request: Parameters<RequestHandler>[0]): string =>
  (headerValue(request.headers, 'Authorization') ?? '').replace('Bearer ', '');

/** Where the key `as` answers in place of the key `of`. */
const countedWith =
  (of: string, as: string) =>
  (answer: RequestHandler): RequestHandler =>
  (request) =>
    answer(keyOf(request) === of ? { ...request, headers: [['Authorization', `Bearer ${as}`]] } : request);

/** After the first 429 of a key, every other key gets one for so long. */
const spreading =
  (forMs: number) =>
  (answer: RequestHandler, now: () => number): RequestHandler => {
    let first:
      | { readonly key: string; readonly at: number; readonly outcome: ReturnType<RequestHandler> }
      | undefined;
    return (request) => {
      const outcome = answer(request);
      const key = keyOf(request);
      if (outcome.kind === 'response' && outcome.status === 429) first ??= { key, at: now(), outcome };
      return first !== undefined && key !== first.key && now() - first.at < forMs
        ? limitedAs(outcome, first.outcome)
        : outcome;
    };
  };

/** The 429, with the headers about the limit of the response in whose place it comes. */
const limitedAs = (
  own: ReturnType<RequestHandler>,
  limited: ReturnType<RequestHandler>,
): ReturnType<RequestHandler> =>
  own.kind === 'response' && limited.kind === 'response'
    ? { ...limited, headers: [...own.headers, ['Retry-After', '30']] }
    : own;

describe('keys of several plans at the same time', () => {
  for (const algorithm of sampleOf(algorithms)) {
    test(`${algorithm}: each is judged by its own plan, and all pass`, async () => {
      for (const start of [0, 29_000, 58_200])
        assert.deepEqual(
          trouble(await findingsOf({ algorithm, start: Date.UTC(2026, 10, 21, 10) + start })),
          [],
        );
    });

    test(`${algorithm}: a plan whose exhaustion limits the other plans fails`, async () => {
      const findings = await findingsOf({ algorithm, wrap: spreading(20_000) });
      const found = findings.find(({ id }) => id === 'NEIGHBOUR');
      assert.equal(found?.verdict, 'fail', found?.because);
      assert.match(found?.because ?? '', /key fleet-\d/i);
    });
  }

  test('the first key of the smallest plan exceeds its limit', async () => {
    const { record } = await virtualLoad({ profile: 'plans', fleetOf: FLEET });
    assert.deepEqual(
      record.keys.map(({ key, rateLimited }) => [key, rateLimited > 0]),
      [
        ['fleet-1', false],
        ['fleet-2', true],
        ['fleet-3', false],
        ['fleet-4', false],
      ],
    );
  });

  test('a limit of another plan behind the headers of the own one fails', async () => {
    assert.ok(trouble(await findingsOf({ fault: findFault('half-the-limit') })).includes('NEIGHBOUR fail'));
    assert.ok(trouble(await findingsOf({ fault: findFault('one-too-many') })).includes('CEILING fail'));
  });

  test('two keys of one plan may be of one account', async () => {
    const found = (await findingsOf({ wrap: countedWith('fleet-4', 'fleet-2') })).find(
      ({ id }) => id === 'NEIGHBOUR',
    );
    assert.equal(found?.verdict, 'inconclusive', found?.because);
  });
});
