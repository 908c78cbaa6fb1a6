import fc from 'fast-check';
import type {
  Body,
  BodyExcerpt,
  Caller,
  CompleteBody,
  Exchange,
  HeaderLine,
  NoResponseCause,
} from '../../../kernel/exchanges/exchange.ts';
import type { JournalLine, RunLine } from '../../../suites/service/model/journal.ts';
import { probes } from '../../../suites/service/probes/index.ts';
import { anyText } from '../any-text.ts';
import { RUN } from './synthetic.ts';

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const steps: readonly string[] = probes.flatMap(({ steps }) => Object.values(steps));

const callers: readonly Caller[] = [
  'key',
  'key',
  'unspecified',
  'other',
  'exhausted',
  'disposable',
  'unauthenticated',
  'plan:pro',
];

const names: readonly string[] = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Date', 'Age'],
  ...['Content-Type', 'WWW-Authenticate', 'Cache-Control', 'Expires', 'Deprecation', 'Sunset', 'Link'],
];

/** Header values, valid and invalid. */
const values: fc.Arbitrary<string> = fc.oneof(
  oneOf('0', '1', '59', '60', '1000', '1795255267', '-1', '1.5', '1e9', '60, 60', 'NaN', '9'.repeat(400), ''),
  oneOf('Sat, 21 Nov 2026 10:00:00 GMT', 'Saturday, 21-Nov-26 10:00:00 GMT', 'Sat Nov 21 10:00:00 2026'),
  oneOf('application/json', 'application/json; charset=utf-8', 'text/html', 'application/problem+json'),
  oneOf('Bearer', 'no-store', 'max-age=60', '@1688169599', 'true', '<x>; rel="next"'),
  anyText(20),
);

const headers: fc.Arbitrary<readonly HeaderLine[]> = fc.array(
  fc.tuple(
    fc.oneof(
      oneOf(...names),
      oneOf(...names).map((name) => name.toLowerCase()),
      fc.string({ maxLength: 8 }),
    ),
    values,
  ),
  { maxLength: 12 },
);

const category = fc.record(
  {
    id: fc.oneof(fc.maxSafeInteger(), fc.double(), fc.string()),
    name: fc.anything(),
    description: fc.string(),
  },
  { requiredKeys: [] },
);

const texts: fc.Arbitrary<string> = fc.oneof(
  fc.array(category, { maxLength: 4 }).map((items) => JSON.stringify(items) ?? ''),
  category.map((item) => JSON.stringify(item) ?? ''),
  oneOf('{"code":"a","message":"b","status":429}', '{"code":1}', '[]', '', 'null', '{"__proto__":{"id":1}}'),
  oneOf('[1e400]', '{"id":9223372036854775808}', '['.repeat(300), '\uFEFF[]', '{"id":1,"id":2}'),
  fc.json(),
  anyText(),
);

const encoding = oneOf<Body['encoding']>('utf8', 'utf8', 'utf8', 'base64');
const wholeBodies: fc.Arbitrary<CompleteBody> = fc.record({
  text: texts,
  encoding,
  bytes: fc.nat(),
  cut: fc.constant(false as const),
});
const excerpts: fc.Arbitrary<BodyExcerpt> = fc.record({
  excerpt: texts,
  encoding,
  bytes: fc.nat(),
  cut: fc.constant(true as const),
});
const bodies: fc.Arbitrary<Body> = fc.oneof(
  { weight: 9, arbitrary: wholeBodies },
  { weight: 1, arbitrary: excerpts },
);

const moment = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: 0, max: 200_000, noNaN: true }) },
  { weight: 1, arbitrary: oneOf(0, -1, 1e15, 2 ** 53) },
);

/** How the bytes of a response were read. */
const reading = { irregular: fc.array(fc.string(), { maxLength: 2 }), decoded: oneOf('gzip', 'br') };

/** A response whose body was not kept whole. */
const incomplete = {
  kind: fc.constant('answer' as const),
  status: oneOf(200, 201, 400, 429),
  headers,
  body: excerpts,
};

const outcomes: fc.Arbitrary<Exchange['outcome']> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      status: oneOf(200, 200, 201, 201, 400, 401, 403, 404, 429, 429, 500, 503, 0, 999),
      headers,
      body: bodies,
      ...reading,
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...incomplete, broken: fc.string() }) },
  { weight: 1, arbitrary: fc.record({ ...incomplete, unreadable: fc.string(), ...reading }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('no-response' as const),
      cause: oneOf<NoResponseCause>('refused', 'reset', 'timeout', 'protocol'),
      detail: fc.string(),
    }),
  },
);

const exchanges: fc.Arbitrary<Omit<Exchange, 'n'>> = fc.record({
  kind: fc.constant('exchange' as const),
  probe: oneOf(...probes.map(({ id }) => id), 'no-probe'),
  step: oneOf(...steps, 'no step'),
  caller: oneOf(...callers),
  connection: fc.record({ id: fc.integer({ min: 1, max: 5 }), fresh: fc.boolean() }),
  request: fc.record({
    method: oneOf('GET', 'POST', ''),
    target: oneOf('/v1/categories', '/v1/categories?a=b', '/v1/store/orders', '/v1/pets/1', ''),
    headers,
    body: fc.oneof(fc.constant(null), wholeBodies),
  }),
  sent: fc.record({ wall: moment, mono: moment }),
  received: fc.record({ wall: moment, mono: moment }),
  outcome: outcomes,
});

const heads: fc.Arbitrary<RunLine> = fc
  .record({
    perMinute: oneOf(1, 2, 5, 60, 300, 1e12),
    perDay: oneOf(1, 60, 1000, 1e15),
    minuteSeconds: oneOf(0.001, 2, 60, 3600),
    daySeconds: oneOf(1, 86_400),
  })
  .chain((limits) =>
    fc.record({
      limits: fc.constant(limits),
      inputs: fc.record({
        otherKey: fc.boolean(),
        exhaustedKey: fc.boolean(),
        disposableKey: fc.boolean(),
        spendDay: fc.boolean(),
        exclusiveKey: fc.boolean(),
        thorough: fc.boolean(),
        openapi: fc.boolean(),
      }),
      baseUrl: oneOf('http://127.0.0.1:8080/v1', 'http://127.0.0.1/v2/', 'https://h.example'),
      furtherPlans: fc.constant({ pro: limits }),
    }),
  )
  .map(({ limits, inputs, baseUrl, furtherPlans }) => ({
    ...RUN,
    limits,
    inputs,
    furtherPlans,
    target: { baseUrl, plan: 'free' },
  }));

const otherLines: fc.Arbitrary<JournalLine> = fc.oneof(
  fc.record({
    kind: fc.constant('note' as const),
    probe: oneOf(...probes.map(({ id }) => id)),
    text: fc.string({ minLength: 1 }),
    at: moment,
  }),
  fc.record({ kind: fc.constant('wait' as const), seconds: moment, because: fc.string(), at: moment }),
  fc.record({ kind: fc.constant('document' as const), source: fc.string(), text: texts, at: moment }),
);

/** Any journal whose lines have the right shape, with random content. */
export const anyLines: fc.Arbitrary<readonly JournalLine[]> = fc
  .record({
    head: heads,
    recorded: fc.array(exchanges, { maxLength: 40 }),
    others: fc.array(otherLines, { maxLength: 4 }),
    ended: fc.boolean(),
  })
  .map(({ head, recorded, others, ended }) => [
    head,
    ...recorded.map((exchange, i): Exchange => ({ ...exchange, n: i + 1 })),
    ...others,
    ...(ended
      ? [{ kind: 'end', how: 'finished', because: 'done', finishedAt: head.startedAt } as const]
      : []),
  ]);
