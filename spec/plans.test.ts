import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { rowsOf, sectionsOf } from '../evaluation/testing/spec/prose.ts';
import { limitsOf, loadPlans, PlanFileError, parsePlans } from './plans.ts';

const folder = mkdtempSync(join(tmpdir(), 'plans-'));
after(() => rmSync(folder, { recursive: true }));

const shown = (plans: unknown, more: object = {}) =>
  JSON.stringify({ minuteSeconds: 60, daySeconds: 86_400, plans, ...more });
const free = (perMinute: unknown, perDay: unknown) => shown({ free: { perMinute, perDay } });

function said(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    assert.ok(error instanceof PlanFileError, `not a PlanFileError: ${error}`);
    return error.message;
  }
  return assert.fail('nothing was thrown');
}

test('the plans that ship are the table of the specification', () => {
  const prose = readFileSync(new URL('./interface-specification.md', import.meta.url), 'utf8');
  const table = rowsOf(sectionsOf(prose).get('request-rates-by-plan') ?? '').map(
    ([name = '', ...numbers]) => {
      const [perMinute, perDay] = numbers.map((cell) => Number(cell.replace(',', '')));
      return [name.toLowerCase(), numbers.includes('custom') ? null : { perMinute, perDay }];
    },
  );
  assert.equal(table.length, 4);
  assert.deepEqual(loadPlans(), { minuteSeconds: 60, daySeconds: 86_400, plans: Object.fromEntries(table) });
});

test('a file of the user is read, with windows of its own', () => {
  const path = join(folder, 'demo.json');
  const plans = { free: { perMinute: 5, perDay: 5 } };
  writeFileSync(path, JSON.stringify({ minuteSeconds: 0.5, daySeconds: 0.5, plans }));
  assert.deepEqual(loadPlans(path), { minuteSeconds: 0.5, daySeconds: 0.5, plans });
});

test('a byte-order mark does no harm', () => {
  assert.deepEqual(parsePlans(`\uFEFF${free(5, 50)}`, 'p.json').plans, {
    free: { perMinute: 5, perDay: 50 },
  });
});

const INTEGER = 'expected a whole number of at least 1.';
const SECONDS = 'expected a number of seconds greater than 0.';
const wrongFiles: readonly (readonly [what: string, text: string, message: string])[] = [
  ['nothing', '', 'the plan file is not JSON: JSON value expected but reached end of input at position 0.'],
  ['prose', 'free: 60', "the plan file is not JSON: JSON value expected but got 'f' at position 0."],
  [
    'NaN',
    '{"minuteSeconds":NaN}',
    "the plan file is not JSON: Object value expected after ':' at position 17.",
  ],
  ['a list', '[]', 'the file is []; expected an object.'],
  ['null', 'null', 'the file is null; expected an object.'],
  ['no field', '{}', 'minuteSeconds is missing; expected a number of seconds greater than 0.'],
  ['no plans', '{"minuteSeconds":1,"daySeconds":1}', 'plans is missing; expected an object.'],
  ['plans as a list', shown([]), 'plans is []; expected an object.'],
  ['no plan', shown({}), 'plans is {}; expected at least one plan.'],
  ['a minute of 0', shown({}, { minuteSeconds: 0 }), `minuteSeconds is 0; ${SECONDS}`],
  ['a negative minute', shown({}, { minuteSeconds: -2 }), `minuteSeconds is -2; ${SECONDS}`],
  ['a minute as text', shown({}, { minuteSeconds: '60' }), `minuteSeconds is "60"; ${SECONDS}`],
  ['an endless day', shown({}).replace('86400', '1e999'), `daySeconds is Infinity; ${SECONDS}`],
  [
    'a day below the minute',
    shown({}, { daySeconds: 59 }),
    'daySeconds is 59; expected at least minuteSeconds (60).',
  ],
  ['a limit of 0', free(0, 10), `plans.free.perMinute is 0; ${INTEGER}`],
  ['a negative limit', free(5, -1), `plans.free.perDay is -1; ${INTEGER}`],
  ['a broken limit', free(5.5, 10), `plans.free.perMinute is 5.5; ${INTEGER}`],
  ['a limit beyond counting', free(5, 2 ** 53), `plans.free.perDay is 9007199254740992; ${INTEGER}`],
  ['a limit as text', free('60', 10), `plans.free.perMinute is "60"; ${INTEGER}`],
  ['a limit of null', free(60, null), `plans.free.perDay is null; ${INTEGER}`],
  [
    'a limit missing',
    shown({ free: { perMinute: 1 } }),
    'plans.free.perDay is missing; expected a whole number of at least 1.',
  ],
  ['a day below a minute', free(60, 59), 'plans.free.perDay is 59; expected at least perMinute (60).'],
  ['a plan as a number', shown({ free: 60 }), 'plans.free is 60; expected an object.'],
  ['a long value', shown({ free: 'x'.repeat(99) }), `plans.free is "${'x'.repeat(39)}…; expected an object.`],
  [
    'an unknown field',
    shown({}, { hourSeconds: 1 }),
    '"hourSeconds" is not a field of a plan file; its fields are minuteSeconds, daySeconds, plans.',
  ],
  [
    'an unknown field of a plan',
    shown({ free: { perHour: 1 } }),
    '"perHour" is not a field of plans.free; its fields are perMinute, perDay.',
  ],
  [
    'a plan __proto__',
    shown({}).replace('{}', '{"__proto__":null}'),
    '"__proto__" cannot name a plan; a name begins with a letter or a digit, then also space, . _ -',
  ],
  [
    'a field __proto__',
    '{"__proto__":{}}',
    '"__proto__" is not a field of a plan file; its fields are minuteSeconds, daySeconds, plans.',
  ],
  [
    'a plan without a name',
    shown({ '': null }),
    '"" cannot name a plan; a name begins with a letter or a digit, then also space, . _ -',
  ],
  [
    'a key that stands twice',
    '{"minuteSeconds":60,"minuteSeconds":2}',
    "the plan file is not JSON: Duplicate key 'minuteSeconds' encountered at position 21.",
  ],
];

for (const [what, text, message] of wrongFiles) {
  test(`rejected with one sentence: ${what}`, () => {
    assert.equal(
      said(() => parsePlans(text, 'mine.json')),
      `mine.json: ${message}`,
    );
  });
}

test('a file that is not there is called missing, a folder a folder', () => {
  const path = join(folder, 'none.json');
  assert.equal(
    said(() => loadPlans(path)),
    `${path}: the plan file cannot be read: there is no such file or folder.`,
  );
  assert.equal(
    said(() => loadPlans(folder)),
    `${folder}: the plan file cannot be read: it is a folder.`,
  );
});

test('a file of keys that is passed by mistake is not quoted back', () => {
  assert.ok(!said(() => parsePlans('hunter2-hunter2', 'keys.env')).includes('unter'));
});

test('limitsOf joins the numbers of a plan with its windows', () => {
  const expected = { perMinute: 300, perDay: 10_000, minuteSeconds: 60, daySeconds: 86_400 };
  assert.deepEqual(limitsOf(loadPlans(), 'pro'), expected);
});

const KNOWN = 'the plans are free, pro, business, enterprise.';
const wrongNames: readonly (readonly [name: string, message: string])[] = [
  ['Free', `There is no plan "Free"; ${KNOWN} Did you mean "free"?`],
  ['buisness', `There is no plan "buisness"; ${KNOWN} Did you mean "business"?`],
  ['prro', `There is no plan "prro"; ${KNOWN} Did you mean "pro"?`],
  ['gold', `There is no plan "gold"; ${KNOWN}`],
  ['', `There is no plan ""; ${KNOWN}`],
  ['toString', `There is no plan "toString"; ${KNOWN}`],
  ['__proto__', `There is no plan "__proto__"; ${KNOWN}`],
  [
    'enterprise',
    'The numbers of plan "enterprise" are set by agreement: state both (perMinute and perDay) in a plan file of ' +
      'your own and pass it with --plans.',
  ],
];

for (const [name, message] of wrongNames) {
  test(`no limits for the plan "${name}"`, () => {
    assert.equal(
      said(() => limitsOf(loadPlans(), name)),
      message,
    );
  });
}
