import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../evaluation/simulation/virtual-clock.ts';
import { RUN } from '../../evaluation/testing/suites/synthetic.ts';
import type { HeaderLine, NoResponseCause } from '../../exchanges/exchange.ts';
import type { JournalLine } from '../model/journal.ts';
import { list } from '../probes/bodies.ts';
import { Session } from '../wire/session.ts';
import type { Reply, Wire, WireRequest } from '../wire/wire.ts';
import { Pacer, TargetLostError } from './pacer.ts';

/** What the target does with the next request. */
type Fate =
  | {
      readonly status: number;
      readonly left?: number;
      readonly retryAfter?: string;
      readonly stallsFor?: number;
    }
  | { readonly noResponse: NoResponseCause; readonly fresh?: boolean };

const ok = (left: number): Fate => ({ status: 200, left });
const limited = (retryAfter?: string): Fate => ({
  status: 429,
  left: 0,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** A pacer in virtual time before a target that follows a script; what is sent after its end is answered 200. */
function runPlan(...script: readonly Fate[]) {
  const clock = new VirtualClock();
  const lines: JournalLine[] = [];
  const sent: { readonly send: WireRequest; readonly at: number }[] = [];
  const fates = [...script];
  const wire: Wire = {
    async send(send) {
      const moment = clock.now();
      sent.push({ send, at: moment.mono });
      const fate = fates.shift() ?? { status: 200 };
      await clock.sleep('stallsFor' in fate ? (fate.stallsFor ?? 1) : 1);
      return reply(fate, sent.length, moment, clock.now());
    },
    hangUp: async () => undefined,
  };
  const session = new Session({
    wire,
    clock,
    journal: { append: (line) => void lines.push(line) },
    keys: { key: 'the-key-of-the-pacer' },
    limits: RUN.limits,
    basePath: '/v1',
  });
  session.begin('exhaust-quota');
  const pacer = new Pacer(session);
  const notes = () => lines.flatMap((line) => (line.kind === 'note' ? [line.text] : []));
  const waits = () => lines.flatMap((line) => (line.kind === 'wait' ? [line.seconds] : []));
  return { pacer, clock, sent, notes, waits };
}

function reply(fate: Fate, id: number, sent: Reply['sent'], received: Reply['received']): Reply {
  if ('noResponse' in fate) {
    const connection = { id, fresh: fate.fresh ?? true };
    return {
      kind: 'no-response',
      cause: fate.noResponse,
      detail: `it was ${fate.noResponse}`,
      connection,
      sent,
      received,
    };
  }
  const { status, left, retryAfter, stallsFor } = fate;
  const headers: HeaderLine[] = [
    ['Date', new Date(received.wall).toUTCString()],
    ...(left === undefined ? [] : rate(left)),
    ...(retryAfter === undefined ? [] : ([['Retry-After', retryAfter]] as const)),
  ];
  const body = Buffer.from('[]');
  const broken = stallsFor === undefined ? {} : { broken: 'no complete answer' };
  const connection = { id, fresh: true };
  return { kind: 'answer', status, headers, body, bytes: 2, connection, sent, received, ...broken };
}

const rate = (left: number): readonly HeaderLine[] => [
  ['X-RateLimit-Limit', '60'],
  ['X-RateLimit-Remaining', String(left)],
];

const gap = (sent: readonly { readonly at: number }[], n: number): number =>
  (sent[n]?.at ?? Number.NaN) - (sent[n - 1]?.at ?? Number.NaN);

test('after a 429 it waits as it was told, in seconds and by a date', async () => {
  // Virtual time begins a quarter of a second after a full second, so this date lies 29.75 s ahead.
  const date = new Date(Date.UTC(2026, 10, 21, 10, 0, 37)).toUTCString();
  for (const [told, least] of [
    ['7', 7000],
    ['0', 0],
    [date, 29_750],
    [undefined, 60_000],
  ] as const) {
    const { pacer, clock, sent } = runPlan(limited(told));
    await clock.run(pacer.keyed('first', list()));
    assert.equal(pacer.isRateLimited, true);
    await clock.run(pacer.keyed('second', list()));
    assert.ok(gap(sent, 1) >= least && gap(sent, 1) <= least + 1100, `${told}: ${gap(sent, 1)} ms`);
    assert.equal(pacer.isRateLimited, false);
  }
});

test('of the refusals of one burst the longest wait is kept', async () => {
  const { pacer, clock, sent } = runPlan(limited('40'), limited('20'), limited('30'));
  await clock.run(pacer.burst('burst', [list(), list(), list()]));
  await clock.run(pacer.keyed('after it', list()));
  assert.ok(gap(sent, 3) >= 40_000, `${gap(sent, 3)} ms`);
});

test('what was answered 503 is asked once more, and not a third time', async () => {
  for (const [script, asked] of [
    [[{ status: 503 }, ok(58)], 2],
    [[{ status: 502 }, { status: 504 }, ok(58)], 2],
    [[{ status: 500 }, ok(58)], 1],
  ] as const) {
    const { pacer, clock, sent } = runPlan(...script);
    await clock.run(pacer.answered('first', list()));
    assert.equal(sent.length, asked);
  }
});

test('of a batch only one request follows a 429, and the others wait for its answer', async () => {
  const { pacer, clock, sent } = runPlan(limited('5'), limited('5'), ok(50));
  await clock.run(pacer.keyed('first', list()));
  const batch = () => pacer.batch('batch', [list(), list(), list()]);
  assert.equal((await clock.run(batch())).length, 1);
  assert.equal(sent.length, 2);
  assert.equal((await clock.run(batch())).length, 3);
  assert.equal(sent.length, 5);
  assert.ok(gap(sent, 1) >= 5000 && gap(sent, 2) >= 5000);
  assert.ok(gap(sent, 3) < 100 && gap(sent, 4) === 0);
});

test('a wait of more than three windows is told and not obeyed', async () => {
  const { pacer, clock, sent, notes, waits } = runPlan(limited('181'));
  await clock.run(pacer.keyed('first', list()));
  assert.equal(await clock.run(pacer.keyed('second', list())), undefined);
  assert.equal(await clock.run(pacer.keyed('third', list())), undefined);
  assert.equal(sent.length, 1);
  assert.deepEqual(waits(), []);
  assert.match(
    notes().join(),
    /^Retry-After asks for 181 s; this run waits at most 180 s[^,]*, so nothing more/,
  );
});

test('three refusals in a row, each after its wait, give the key up', async () => {
  const { pacer, clock, sent, notes } = runPlan(limited('1'), limited('1'), limited('1'));
  for (let i = 0; i < 5; i += 1) await clock.run(pacer.keyed(`request ${i}`, list()));
  assert.equal(sent.length, 3);
  assert.equal(notes().length, 1);
  assert.match(pacer.givenUp ?? '', /refused 3 times in a row/);
});

test('a burst of refusals is one refusal, and the longest patience starts anew after a success', async () => {
  const { pacer, clock } = runPlan(limited('1'), limited('1'), limited('1'), limited('1'));
  await clock.run(pacer.burst('burst', [list(), list(), list(), list()]));
  assert.equal(pacer.givenUp, undefined);
  const second = runPlan(limited('1'), limited('1'), ok(50), limited('1'), limited('1'));
  for (let i = 0; i < 6; i += 1) await second.clock.run(second.pacer.keyed(`request ${i}`, list()));
  assert.equal(second.pacer.givenUp, undefined);
});

test('the second wait is a second at least, because a 0 may be rounded down', async () => {
  const { pacer, clock, sent } = runPlan(limited('0'), limited('0'), ok(1));
  for (let i = 0; i < 3; i += 1) await clock.run(pacer.keyed(`request ${i}`, list()));
  assert.ok(gap(sent, 1) < 100);
  assert.ok(gap(sent, 2) >= 1000);
});

test('a success of the burst in which a refusal came does not shorten the second wait', async () => {
  const { pacer, clock, sent } = runPlan(limited('1'), ok(0), limited('0'), ok(59));
  await clock.run(pacer.burst('many', [list({ route: 'lane-1' }), list({ route: 'lane-2' })]));
  await clock.run(pacer.keyed('after it', list()));
  await clock.run(pacer.keyed('after the second', list()));
  assert.ok(gap(sent, 3) >= 1000, `the second wait was ${gap(sent, 3)} ms`);
});

test('before the limit is reached the window is left to pass', async () => {
  const { pacer, clock, sent, waits } = runPlan(ok(59), ok(1));
  await clock.run(pacer.keyed('first', list()));
  await clock.run(pacer.keyed('second', list()));
  await clock.run(pacer.keyed('third', list()));
  assert.deepEqual(waits(), [62]);
  assert.ok(gap(sent, 2) >= 62_000);
});

test('a limit that headers do not show is counted', async () => {
  const { pacer, clock, waits } = runPlan();
  for (let i = 0; i < 59; i += 1) await clock.run(pacer.keyed(`request ${i}`, list()));
  assert.deepEqual(waits(), []);
  await clock.run(pacer.keyed('the sixtieth', list()));
  assert.deepEqual(waits(), [62]);
});

test('a kept connection that was reset as it was used again is asked again on a new one', async () => {
  const { pacer, clock, sent } = runPlan(ok(59), { noResponse: 'reset', fresh: false }, ok(58));
  await clock.run(pacer.keyed('first', list()));
  const exchange = await clock.run(pacer.keyed('second', list()));
  assert.equal(exchange?.outcome.kind, 'answer');
  assert.deepEqual(
    sent.map(({ send }) => send.route),
    ['kept', 'kept', 'new'],
  );
});

test('a new connection that was reset is evidence, and is not asked again', async () => {
  const { pacer, clock, sent } = runPlan(ok(59), { noResponse: 'reset' });
  await clock.run(pacer.keyed('first', list()));
  const exchange = await clock.run(pacer.keyed('second', list()));
  assert.equal(exchange?.outcome.kind, 'no-response');
  assert.equal(sent.length, 2);
});

for (const cause of ['refused', 'dns', 'tls'] as const) {
  test(`a target that cannot be connected to (${cause}) ends the run, at first and later`, async () => {
    const first = runPlan({ noResponse: cause });
    await assert.rejects(
      first.clock.run(first.pacer.keyed('first', list())),
      (error) =>
        error instanceof TargetLostError && error.atFirst && /could not be reached/.test(error.message),
    );
    const later = runPlan(ok(59), { noResponse: cause });
    await later.clock.run(later.pacer.keyed('first', list()));
    await assert.rejects(
      later.clock.run(later.pacer.aside('second', list())),
      (error) =>
        error instanceof TargetLostError &&
        !error.atFirst &&
        /stopped answering at exchange 2/.test(error.message),
    );
  });
}

test('three silences in a row end the run; two and an answer do not', async () => {
  const silent: Fate = { noResponse: 'timeout' };
  const { pacer, clock } = runPlan(ok(59), silent, silent, ok(58), silent, silent, silent);
  for (let i = 0; i < 6; i += 1) await clock.run(pacer.keyed(`request ${i}`, list()));
  await assert.rejects(clock.run(pacer.keyed('the third silence', list())), TargetLostError);
});

test('bodies that never end count as silences: they end the run at first, or three in a row; quick breaks do not', async () => {
  const stalled: Fate = { status: 200, stallsFor: 30_000 };
  const broken: Fate = { status: 200, stallsFor: 50 };
  const lost = (atFirst: boolean) => (error: unknown) =>
    error instanceof TargetLostError && error.atFirst === atFirst && /no complete answer/.test(error.message);
  const drip = runPlan(stalled);
  await assert.rejects(drip.clock.run(drip.pacer.keyed('first', list())), lost(true));

  const late = runPlan(ok(59), stalled, stalled, ok(56), stalled, stalled, stalled);
  for (let n = 0; n < 6; n += 1) await late.clock.run(late.pacer.urgent('again', list()));
  await assert.rejects(late.clock.run(late.pacer.urgent('again', list())), lost(false));

  const quick = runPlan(broken, broken, broken, broken);
  for (let n = 0; n < 4; n += 1) await quick.clock.run(quick.pacer.urgent('again', list()));
  assert.equal(quick.sent.length, 4);
});
