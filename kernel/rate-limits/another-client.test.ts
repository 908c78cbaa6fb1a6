import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededBy } from '../../evaluation/testing/suites/limiters.ts';
import type { StagedExchange } from '../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import { recount } from '../../suites/service/probes/recount.ts';
import { numbersTo, sampleOf } from '../../tools/sample.ts';
import { explainDiscrepancy } from './explanation.ts';
import { minuteQuota } from './quota.ts';
import { ofKey, stepsOf } from './series.ts';

// Another client of the key, of many kinds, beside our requests of several
// kinds: whatever he does, no fault of the target may explain what he did.

const quota = minuteQuota(RUN.limits);
/** The runs of the day, of this number in a week. */
const runs = sampleOf(numbersTo(Number(process.env['ANOTHER_CLIENT_RUNS'] ?? 1500)));

type Random = () => number;

/** When the client uses the key, in milliseconds, ascending, within so many of them. */
type Client = (random: Random, until: number) => readonly number[];

const every = (step: (random: Random) => number): Client => {
  return (random, until) => {
    const moments: number[] = [];
    for (let at = step(random) * random(); at < until; at += step(random)) moments.push(at);
    return moments;
  };
};

const inBursts: Client = (random, until) =>
  every((one) => 200 + 3000 * one())(random, until).flatMap((at) =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, (_, i) => at + i * 0.2),
  );

/** Keeps time, with a period of his own that is drawn once. */
const periodic: Client = (random, until) => {
  const period = 5 + random() * 800;
  return every(() => period)(random, until);
};

const clients: readonly Client[] = [
  every((random) => -Math.log(1 - random()) * 300),
  every((random) => -Math.log(1 - random()) * 2000),
  inBursts,
  periodic,
];

const kinds: readonly StagedExchange[] = [
  {},
  { method: 'POST', status: 201, body: '{}' },
  { method: 'POST', status: 400, body: '{}' },
  { path: '/store/orders', status: 501, body: '{}' },
  { path: '/pets/1', status: 404, body: '{}' },
];

const drawn = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)] as T;

/** How long a request of each kind takes, in milliseconds: over a link that is drawn, and some kinds for longer. */
function durations(random: Random): readonly number[] {
  const link = drawn([1, 5, 40, 200], random);
  return kinds.map(() => link * (1 + (random() < 0.3 ? 20 * random() : random())));
}

/** Up to fifty requests of a fixed window that the client shares with us, from an untouched limit. */
function shared(random: Random): Synthesis {
  const run = new Synthesis();
  const takes = durations(random);
  const client = [...drawn(clients, random)(random, 60_000)];
  let at = 0;
  let left = quota.limit;
  for (let i = 0; i < 50 && left > 1; i += 1) {
    const kind = i === 0 ? 0 : Math.floor(random() * kinds.length);
    const took = (takes[kind] ?? 1) * (0.8 + 0.4 * random());
    const decided = at + took * random();
    // Before the first one the limit is untouched: it is what the run waits for.
    while (client[0] !== undefined && client[0] < decided) {
      client.shift();
      if (i > 0) left -= 1;
    }
    left -= 1;
    if (left < 0) break;
    const step = i === 0 ? { probe: recount.id, step: recount.steps.baselineAfterIdle } : {};
    run.add({ ...kinds[kind], ...step, left, sent: at, received: at + took });
    at += took + (random() < 0.2 ? 400 * random() : 0.1);
  }
  return run;
}

test(`of ${runs.length} other clients of the key none makes a conforming limiter look faulty`, () => {
  const attributed: string[] = [];
  let seen = 0;
  for (const run of runs) {
    const series = stepsOf(ofKey(shared(seededBy(`another client ${run}`)).exchanges));
    const found = explainDiscrepancy(series, quota, { others: [], everywhere: [series], exclusive: false });
    if (found === undefined) continue;
    seen += 1;
    if (found.explanation.kind !== 'fell beyond use')
      attributed.push(`${run}: ${JSON.stringify(found.explanation)}`);
  }
  assert.ok(seen > runs.length / 3, `only ${seen} of ${runs.length} clients showed at all`);
  assert.deepEqual(attributed, []);
});
