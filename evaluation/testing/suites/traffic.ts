import fc from 'fast-check';
import type { HeaderLine } from '../../../exchanges/exchange.ts';
import type { ModelQuota, ModelShape } from './limiters.ts';
import { limiterModel, modelKinds } from './limiters.ts';
import { START, Synthesis } from './synthetic.ts';

/** One request of random traffic; its delays are milliseconds. */
interface Sent {
  readonly what: 'list' | 'creation' | 'invalid creation' | 'list that is lost' | 'list whose answer is lost';
  readonly after: number;
  readonly there: number;
  readonly back: number;
}

/** Requests that are under way at the same time, `pause` milliseconds after those before. */
interface Moment {
  readonly pause: number;
  readonly sent: readonly Sent[];
}

/** Traffic that no pacer shaped, and the lawful limiter that it meets. */
export interface Traffic {
  readonly quota: ModelQuota;
  readonly shape: ModelShape;
  readonly rejected: 'count' | 'are free' | 'are refunded';
  readonly moments: readonly Moment[];
}

const sent = (delay: number): fc.Arbitrary<Sent> =>
  fc.record({
    what: fc.constantFrom(
      'list',
      'list',
      'list',
      'list',
      'creation',
      'invalid creation',
      'invalid creation',
      'list that is lost',
      'list whose answer is lost',
    ),
    after: fc.double({ min: 0, max: delay, noNaN: true }),
    there: fc.double({ min: 0.05, max: delay, noNaN: true }),
    back: fc.double({ min: 0.05, max: delay, noNaN: true }),
  });

/** Small limits, so that a few dozen requests cross many windows; every algorithm, at every phase. */
export const traffic: fc.Arbitrary<Traffic> = fc
  .record({
    limit: fc.integer({ min: 2, max: 20 }),
    delay: fc.constantFrom(0.5, 20, 400, 2500),
    pause: fc.constantFrom(1, 200, 4000, 20_000),
  })
  .chain(({ limit, delay, pause }) =>
    fc.record({
      quota: fc.constant({ limit, windowMs: 60_000 }),
      shape: fc.record({
        kind: fc.constantFrom(...modelKinds),
        phase: fc.integer({ min: 0, max: 60_000 }),
        chunk: fc.integer({ min: 1, max: limit }),
      }),
      rejected: fc.constantFrom('count', 'are free', 'are refunded'),
      moments: fc.array(
        fc.record({
          pause: fc.oneof(
            { weight: 6, arbitrary: fc.double({ min: 0, max: pause, noNaN: true }) },
            { weight: 1, arbitrary: fc.double({ min: 0, max: 90_000, noNaN: true }) },
          ),
          sent: fc.oneof(
            { weight: 4, arbitrary: fc.tuple(sent(delay)) },
            { weight: 1, arbitrary: fc.array(sent(delay), { minLength: 2, maxLength: 6 }) },
          ),
        }),
        { minLength: 5, maxLength: 60 },
      ),
    }),
  );

/** The drain asks for lists alone; what is lost on its way is not blamed on anybody, so it is none of the drain. */
const probeOf: Readonly<Record<Sent['what'], string>> = {
  list: 'exhaust-quota',
  creation: 'exhaust-quota',
  'invalid creation': 'rejections',
  'list that is lost': 'second-batch',
  'list whose answer is lost': 'second-batch',
};

/** What the limiter makes of the traffic, as a run would have recorded it. */
export function recorded({ quota, shape, rejected, moments }: Traffic): Synthesis {
  const model = limiterModel(shape, quota);
  const synthesis = new Synthesis();
  let now = 0;
  for (const { pause, sent } of moments) {
    const start = now + pause;
    const arrivals = sent
      .map((one) => ({ ...one, at: start + one.after, decided: start + one.after + one.there }))
      .sort((a, b) => a.decided - b.decided);
    const answers = arrivals.map((one) => ({ one, answer: decide(model, quota, rejected, one) }));
    for (const { one, answer } of answers.sort((a, b) => a.one.at - b.one.at)) {
      const received = one.decided + one.back;
      now = Math.max(now, received);
      synthesis.add({
        probe: probeOf[one.what],
        fresh: true,
        connection: synthesis.exchanges.length + 1,
        method: one.what.includes('creation') ? 'POST' : 'GET',
        sent: one.at,
        received,
        ...answer,
      });
    }
  }
  return synthesis;
}

type Answered = Pick<Parameters<Synthesis['add']>[0], 'status' | 'headers' | 'noResponse' | 'date' | 'body'>;

function decide(
  model: ReturnType<typeof limiterModel>,
  quota: ModelQuota,
  rejected: Traffic['rejected'],
  { what, decided }: Sent & { readonly decided: number },
): Answered {
  const date = START + Math.floor(decided / 1000);
  if (what === 'list that is lost') return { noResponse: 'timeout' };
  if (model.free(decided) < 1) {
    const wait = Math.ceil((model.accepts(decided) - decided) / 1000);
    return { status: 429, date, headers: [...rate(model, quota, decided), ['Retry-After', String(wait)]] };
  }
  const succeeds = what !== 'invalid creation';
  if (succeeds || rejected !== 'are free') model.spend(decided);
  const headers = rate(model, quota, decided);
  if (!succeeds && rejected === 'are refunded') model.refund();
  if (what === 'list whose answer is lost') return { noResponse: 'reset' };
  if (!succeeds) return { status: 400, date, headers, body: '{"code":"E","message":"m","status":400}' };
  return what === 'creation' ? { status: 201, date, headers, body: '{}' } : { date, headers };
}

function rate(
  model: ReturnType<typeof limiterModel>,
  { limit }: ModelQuota,
  at: number,
): readonly HeaderLine[] {
  const left = Math.max(0, Math.min(limit, Math.floor(model.free(at))));
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(left)],
    ['X-RateLimit-Reset', String(Math.ceil(START + model.next(at) / 1000))],
  ];
}
