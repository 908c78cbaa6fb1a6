import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { encodedForms } from '../../kernel/recording/redaction/encodings.ts';
import type { Operation } from '../model/profile.ts';
import type { BodyReading } from '../model/sample.ts';
import { scenarioRequests } from '../profiles/arithmetic.ts';
import { profiles } from '../profiles/index.ts';
import type { ReadResponse } from './body-reader.ts';
import { BodyReader, boundedText, categoryName, errorText, headerText, secretsOf } from './body-reader.ts';
import { assignmentOf, placesOf } from './environment.ts';
import { optionsOf } from './options.ts';

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3';
const keys = {
  PETSTORE_API_KEY: KEY,
  PETSTORE_OTHER_KEY: 'pk-other',
  PETSTORE_DISPOSABLE_KEY: 'pk-disposable',
  PETSTORE_API_KEYS: 'pk-1, pk-2\npk-3',
};
const readPlans = (path: string): string => {
  assert.equal(path, '../../spec/plans.json', 'the plans of the specification are the default');
  return readFileSync(new URL(path, import.meta.url), 'utf8');
};
const assigned = (env: Readonly<Record<string, string>>) =>
  assignmentOf({ TARGET: 'http://127.0.0.1:8080/v1/', ...env }, readPlans);

describe('the environment of the script', () => {
  test('is read completely', () => {
    const read = assigned({ PROFILE: 'soak', MINUTES: '2', PLAN: 'pro', ...keys });
    assert.equal(read.target, 'http://127.0.0.1:8080/v1');
    assert.equal(read.profile.id, 'soak');
    assert.deepEqual(read.inputs, {
      limits: { perMinute: 300, perDay: 10_000, minuteSeconds: 60, daySeconds: 86_400 },
      fleet: 4,
      minutes: 2,
    });
    assert.deepEqual([read.keys['fleet-1'], read.keys['fleet-4']], [KEY, 'pk-3']);
  });

  test('LIMITS states the numbers of a plan, where the windows were shortened', () => {
    const limits = { perMinute: 5, perDay: 50, minuteSeconds: 1, daySeconds: 10 };
    const read = assigned({ PROFILE: 'smoke', LIMITS: JSON.stringify(limits), PETSTORE_API_KEY: KEY });
    assert.deepEqual(read.inputs.limits, limits);
  });

  test('a file of keys is the fleet, each key with the limits of its plan', () => {
    const file = 'key,plan\npk-a,free\n"pk-b";pro\n# none\n\npk-c\n';
    const env = { TARGET: 'http://127.0.0.1/v1', PROFILE: 'soak', PETSTORE_KEYS_FILE: '/run/keys.csv' };
    const read = assignmentOf(env, (path) => (path === '/run/keys.csv' ? file : readPlans(path)));
    const fleet = read.scenarios.map(({ key, limits }) => `${key} ${read.keys[key]} ${limits?.perMinute}`);
    assert.deepEqual(fleet, ['fleet-1 pk-a 60', 'fleet-2 pk-b 300', 'fleet-3 pk-c 60']);
    const plans = read.inputs.fleetPlans?.map((one) => `${one.plan} ${one.keys}`);
    assert.deepEqual(plans, ['free 1', 'pro 1', 'free 1']);
  });

  test('a virtual user keeps the keys of others out of its samples, unless there are too many', () => {
    const fleetOf = (size: number) => {
      const own = Array.from({ length: size }, (_, at) => `pk-${at}`).join(' ');
      return placesOf(assigned({ PROFILE: 'soak', PETSTORE_API_KEYS: own }));
    };
    assert.equal(fleetOf(100)[0]?.secrets.length, 100);
    assert.deepEqual(fleetOf(101)[7]?.secrets, ['pk-7']);
  });

  test('one key is a fleet of one', () => {
    assert.equal(assigned({ PROFILE: 'soak', PETSTORE_API_KEY: KEY }).keys['fleet-1'], KEY);
  });

  test('holds headers for a gateway, one per line', () => {
    const given = '\nX-Tenant: staging\r\nX-Gateway:a: b\n';
    const { headers } = assigned({ PROFILE: 'smoke', PETSTORE_HEADERS: given, ...keys });
    assert.equal(headers.map((one) => one.join('=')).join('; '), 'X-Tenant=staging; X-Gateway=a: b');
    assert.deepEqual(assigned({ PROFILE: 'smoke', ...keys }).headers, []);
  });

  const wrong: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ TARGET: '', PROFILE: 'smoke' }, /^TARGET is missing/],
    [{ TARGET: 'api.example.com', PROFILE: 'smoke' }, /^TARGET must begin with http/],
    [{}, /^PROFILE is missing/],
    [{ PROFILE: 'smok' }, /There is no profile "smok".*Did you mean "smoke"/],
    [{ PROFILE: 'smoke' }, /smoke needs the environment variable PETSTORE_API_KEY/],
    [{ PROFILE: 'smoke', PETSTORE_API_KEY: '' }, /PETSTORE_API_KEY/],
    [
      { PROFILE: 'isolation', PETSTORE_API_KEY: KEY },
      /isolation needs the environment variable PETSTORE_OTHER_KEY/,
    ],
    [{ PROFILE: 'offender', PETSTORE_API_KEY: KEY }, /PETSTORE_DISPOSABLE_KEY/],
    [{ PROFILE: 'soak' }, /PETSTORE_API_KEYS/],
    [{ PROFILE: 'smoke', PLAN: 'fre' }, /There is no plan "fre"; the plans are free, pro/],
    [{ PROFILE: 'smoke', PLAN: 'enterprise' }, /set by agreement/],
    [{ PROFILE: 'soak', MINUTES: '-1', ...keys }, /^MINUTES must be/],
    [{ PROFILE: 'soak', MINUTES: 'ten', ...keys }, /^MINUTES must be/],
    [{ PROFILE: 'smoke', PETSTORE_HEADERS: KEY, ...keys }, /^PETSTORE_HEADERS takes 'Name: value'/],
    [
      { PROFILE: 'smoke', PETSTORE_HEADERS: `authorization: ${KEY}`, ...keys },
      /^PETSTORE_HEADERS: the run sets authorization itself/,
    ],
  ];
  for (const [env, sentence] of wrong) {
    test(`rejects ${JSON.stringify(env).replaceAll(KEY, '…')}`, () => {
      assert.throws(
        () => assigned(env),
        (error: Error) => {
          assert.match(error.message, sentence);
          assert.ok(!error.message.includes(KEY));
          return true;
        },
      );
    });
  }
});

describe('the options of k6', () => {
  for (const { id } of profiles) {
    test(`${id}: one virtual user for each key, and thresholds that an empty run does not meet`, () => {
      const assignment = assigned({ PROFILE: id, ...keys });
      const { scenarios: k6Scenarios = {}, thresholds = {} } = optionsOf(assignment);
      const { scenarios } = assignment;
      const [k6Scenario, ...others] = Object.values(k6Scenarios);
      assert.ok(k6Scenario?.executor === 'per-vu-iterations' && others.length === 0);
      const { vus, iterations, gracefulStop, maxDuration } = k6Scenario;
      assert.deepEqual([vus, iterations, gracefulStop], [scenarios.length, 1, '0s']);
      assert.match(String(maxDuration), /^[0-9]+s$/);
      const requests = scenarios.reduce((sum, one) => sum + scenarioRequests(one), 0);
      assert.deepEqual(thresholds['http_reqs'], [`count==${requests}`]);
      assert.deepEqual(thresholds['petstore_event{kind:finished}'], [`count==${scenarios.length}`]);
      assert.ok(!JSON.stringify(optionsOf(assignment)).includes(KEY));
    });
  }

  test('of several runners, none knows the counts of all', () => {
    const { thresholds = {} } = optionsOf(assigned({ PROFILE: 'soak', RUNNERS: '3', ...keys }));
    assert.deepEqual(Object.keys(thresholds), ['http_reqs{status:429}']);
  });
});

describe('headers in a sample', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['60', '60'],
    [' 60 ', '60'],
    ['60, 60', '60'],
    ['60, 61', '60, 61'],
    ['Sat, 21 Nov 2026 10:00:00 GMT', 'Sat, 21 Nov 2026 10:00:00 GMT'],
    ['Sat, 21 Nov 2026 10:00:00 GMT, Sat, 21 Nov 2026 10:00:00 GMT', 'Sat, 21 Nov 2026 10:00:00 GMT'],
    ['Saturday, 21-Nov-26 10:00:00 GMT', 'Saturday, 21-Nov-26 10:00:00 GMT'],
    ['1795250742.123456789', '1795250742.123456789'],
    ['1 '.repeat(100), `${'1 '.repeat(32)}…`],
    [`60;${KEY}`, '60;[secret]'],
    [Buffer.from(KEY).toString('base64'), '[secret in base64]M='],
    [Buffer.from(KEY).toString('hex'), '[secret in hexadecimal]'],
    [encodeURIComponent(KEY), '[secret]'],
    [KEY.slice(0, -1), '[long word]'],
  ];
  for (const [value, expected] of rows) {
    test(JSON.stringify(value.slice(0, 40)).replaceAll(KEY, '(key)'), () =>
      assert.equal(headerText(value, [KEY]), expected),
    );
  }

  test('a gateway header is as secret as a key, unless it is very short', () => {
    const headers = [['X-Gateway', 'pk-key-1 and more'] as const, ['X-Version', '60'] as const];
    const secrets = secretsOf(['pk-key-1', undefined, ''], headers);
    assert.deepEqual(secrets, ['pk-key-1 and more', 'pk-key-1']);
    assert.equal(headerText('60, pk-key-1 and more', secrets), '60, [secret]');
  });

  test('a key damages no figure, and is replaced in any other text, whatever it looks like', () => {
    for (const key of ['600600', '1795250760', '4821973'])
      for (const figure of [key, '1795250760', '0.600600', 'Sat, 21 Nov 2026 10:00:00 GMT'])
        assert.equal(headerText(figure, [key]), figure);
    for (const key of ['600600', '1795250760', 'abc12x7', '.b(c)]x']) {
      assert.equal(headerText(`key=${key}`, [key]), 'key=[secret]');
      assert.equal(boundedText(key, [key]), '[secret]');
      assert.equal(errorText(`no: ${encodeURIComponent(key)}!`, [key]), 'no: [secret]!');
    }
  });

  test('an error is bounded as well', () => {
    assert.equal(errorText(`dial: connection refused ${KEY}`, [KEY]), 'dial: connection refused [secret]');
    assert.equal(errorText('a b '.repeat(100), [KEY]).length, 200);
  });
});

const PADDED_KEY = `${KEY}=`;
const OWN = categoryName('r1', 'key', 7);

const readerOf = (keys = 1): BodyReader => new BodyReader({ run: 'r1', keys, secrets: [PADDED_KEY] });

const response = (body: string | null, more: Partial<ReadResponse> = {}): ReadResponse => ({
  status: 200,
  body,
  headers: {},
  ...more,
});

const wrong = (problem: (BodyReading & { readonly kind: 'wrong' })['problem'], excerpt: string) =>
  ({ kind: 'wrong', problem, excerpt }) as const;

const category = (name: string, id: unknown = 3): string => JSON.stringify({ id, name });

const rows: Readonly<
  Record<string, readonly [operation: Operation, body: string, read: BodyReading | undefined]>
> = {
  'an empty list': ['list', '[]', { kind: 'list' }],
  'a list': ['list', `[${category('Birds')},${category('Fish')}]`, { kind: 'list' }],
  'a list after a byte order mark': ['list', '\uFEFF[]', { kind: 'list' }],
  'a page of HTML': ['list', '<html>Bad gateway</html>', wrong('not JSON', '<html>Bad gateway</html>')],
  'no bytes': ['list', '', wrong('not JSON', '')],
  'half a list': ['list', '[{"id":1,"na', wrong('not JSON', '[{"id":1,"na')],
  'an Error': ['list', '{"code":"busy"}', wrong('no list of categories', '{"code":"busy"}')],
  null: ['list', 'null', wrong('no list of categories', 'null')],
  'a list with another item': ['list', '[{"id":1}]', wrong('no list of categories', '[{"id":1}]')],
  'a list that is too long': ['list', `["${'x'.repeat(20_000)}"]`, undefined],
  'the category': ['create', category(OWN), { kind: 'category', id: '3' }],
  'the category, with a text as id': ['create', category(OWN, 'c-3'), { kind: 'category', id: 'c-3' }],
  'an id that JavaScript rounds': ['create', `{"id":9007199254740993,"name":"${OWN}"}`, { kind: 'category' }],
  'an id that is too long to be kept': [
    'create',
    category(OWN, '0f8fad5b-d9cb-469f-a165-70867728950e'),
    { kind: 'category' },
  ],
  'a normalized name': ['create', category(OWN.toUpperCase()), { kind: 'category', id: '3' }],
  'the category of another request': [
    'create',
    category(categoryName('r1', 'key', 8)),
    wrong('category of another request', category(categoryName('r1', 'key', 8))),
  ],
  'a category without a name': ['create', '{"id":3}', wrong('no category', '{"id":3}')],
  'a list of one': ['create', `[${category('a')}]`, wrong('no category', `[${category('a')}]`)],
};

for (const [what, [operation, body, read]] of Object.entries(rows)) {
  test(`the body of ${operation}: ${what}`, () => {
    const status = operation === 'list' ? 200 : 201;
    assert.deepEqual(readerOf().read(operation, OWN, response(body, { status })), read);
  });
}

test('only the body of a 200 to a list and of a 201 to a creation is read', () => {
  for (const [operation, status] of [
    ['list', 429],
    ['list', 201],
    ['create', 200],
    ['create', 400],
  ] as const)
    assert.equal(readerOf().read(operation, OWN, response('<html>', { status })), undefined);
});

test('an excerpt is short and without keys', () => {
  const read = readerOf().read('list', OWN, response(`{"key":"${PADDED_KEY}"}${'-'.repeat(500)}`));
  assert.ok(read?.kind === 'wrong');
  assert.ok(read.excerpt.length < 100 && !read.excerpt.includes(PADDED_KEY), read.excerpt);
});

test('an id that is a key in another spelling is not kept, and no spelling is shorter than the key without hyphens and padding', () => {
  for (const [key, id] of [
    ['4f-2a-9c-81-7d', '4f2a9c817d'],
    ['aB+c/dE9fGh1==', 'aB+c/dE9fGh1'],
  ] as const) {
    const reader = new BodyReader({ run: 'r1', keys: 1, secrets: [PADDED_KEY, key] });
    assert.deepEqual(reader.read('create', OWN, response(category(OWN, id), { status: 201 })), {
      kind: 'category',
    });
  }
  for (const value of [
    PADDED_KEY,
    '4f-2a-9c-81-7d',
    'aB+c/dE9fGh1==',
    '3f2a9c81-7d54-4b6e-9a10-c5d2e8f07b36',
    'k1234',
  ])
    for (const form of encodedForms({ value, name: 'key' }))
      assert.ok(form.value.length >= value.replace(/[-=]/g, '').length, `${form.name}: ${form.value}`);
});

test('a list is read while lists are short; where nothing shows how long they are, in runs of few keys', () => {
  const few = readerOf();
  assert.ok(few.reads('list'));
  few.read('list', OWN, response('[]'));
  assert.ok(few.reads('list'));
  few.read('list', OWN, response(`["${'x'.repeat(20_000)}"]`));
  assert.ok(!few.reads('list'));
  few.read('list', OWN, response(null, { headers: { 'Content-Length': '300' } }));
  assert.ok(few.reads('list'));
  few.read('list', OWN, response(null, { headers: { 'Content-Length': '300', 'Content-Encoding': 'gzip' } }));
  assert.ok(!few.reads('list'), 'a compressed body may be long');
  const many = readerOf(1000);
  assert.ok(!many.reads('list'));
  many.read('list', OWN, response(null));
  assert.ok(!many.reads('list'));
  many.read('list', OWN, response(null, { headers: { 'Content-Length': '300' } }));
  assert.ok(many.reads('list'));
  assert.ok(many.reads('create'), 'a category is short');
});
