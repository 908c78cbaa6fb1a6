import fc from 'fast-check';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import type { Quota } from '../../../kernel/rate-limits/quota.ts';
import type { ModelShape } from './limiters.ts';
import { limiterModel, modelKinds } from './limiters.ts';
import type { StagedExchange } from './synthetic.ts';
import { START, Synthesis } from './synthetic.ts';

/** One request of random traffic; its delays are milliseconds. */
interface TrafficRequest {
  readonly what: 'list' | 'creation' | 'invalid creation' | 'list, request lost' | 'list, response lost';
  readonly after: number;
  readonly there: number;
  readonly back: number;
}

/** Requests that are in flight at the same time, `pause` milliseconds after those before. */
interface Moment {
  readonly pause: number;
  readonly sent: readonly TrafficRequest[];
}

/** Traffic without pacing, and the conforming limiter that it meets. */
export interface Traffic {
  readonly quota: Quota;
  readonly shape: ModelShape;
  readonly rejected: 'counted' | 'not counted' | 'refunded';
  readonly moments: readonly Moment[];
}

const sent = (delay: number): fc.Arbitrary<TrafficRequest> =>
  fc.record({
    what: fc.constantFrom(
      'list',
      'list',
      'list',
      'list',
      'creation',
      'invalid creation',
      'invalid creation',
      'list, request lost',
      'list, response lost',
    ),
    after: fc.double({ min: 0, max: delay, noNaN: true }),
    there: fc.double({ min: 0.05, max: delay, noNaN: true }),
    back: fc.double({ min: 0.05, max: delay, noNaN: true }),
  });

/** Random traffic with small limits, so that a few dozen requests cross many windows; every algorithm, at every phase. */
export const randomTraffic: fc.Arbitrary<Traffic> = fc
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
      rejected: fc.constantFrom('counted', 'not counted', 'refunded'),
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

/** The probe that exhausts the quota sends lists only, and none of them is lost; all other requests belong to other probes. */
const probeOf: Readonly<Record<TrafficRequest['what'], string>> = {
  list: 'exhaust-quota',
  creation: 'exhaust-quota',
  'invalid creation': 'rejections',
  'list, request lost': 'second-batch',
  'list, response lost': 'second-batch',
};

/** The exchanges of this traffic, as a run would have recorded them. */
export function recordTraffic({ quota, shape, rejected, moments }: Traffic): Synthesis {
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

type Decision = Pick<StagedExchange, 'status' | 'headers' | 'noResponse' | 'date' | 'body'>;

function decide(
  model: ReturnType<typeof limiterModel>,
  quota: Quota,
  rejected: Traffic['rejected'],
  { what, decided }: TrafficRequest & { readonly decided: number },
): Decision {
  const date = START + Math.floor(decided / 1000);
  if (what === 'list, request lost') return { noResponse: 'timeout' };
  if (model.available(decided) < 1) {
    return {
      status: 429,
      date,
      headers: [...rate(model, quota, decided), ['Retry-After', String(model.waitSeconds(decided))]],
    };
  }
  const succeeds = what !== 'invalid creation';
  if (succeeds || rejected !== 'not counted') model.count(decided);
  const headers = rate(model, quota, decided);
  if (!succeeds && rejected === 'refunded') model.refund();
  if (what === 'list, response lost') return { noResponse: 'reset' };
  if (!succeeds) return { status: 400, date, headers, body: '{"code":"E","message":"m","status":400}' };
  return what === 'creation' ? { status: 201, date, headers, body: '{}' } : { date, headers };
}

function rate(model: ReturnType<typeof limiterModel>, { limit }: Quota, at: number): readonly HeaderLine[] {
  const remaining = Math.max(0, Math.min(limit, Math.floor(model.available(at))));
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(Math.ceil(START + model.nextAt(at) / 1000))],
  ];
}
