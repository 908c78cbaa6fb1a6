import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { rowsOf, sectionsOf } from '../evaluation/testing/documents.ts';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { UserError } from '../kernel/basics/errors.ts';
import { limitsOf, loadPlans, parsePlans } from './plans.ts';

const folder = temporaryFolder({ after });

const shown = (plans: unknown, more: object = {}) =>
  JSON.stringify({ minuteSeconds: 60, daySeconds: 86_400, plans, ...more });
const free = (perMinute: unknown, perDay: unknown) => shown({ free: { perMinute, perDay } });

function said(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
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

const INTEGER = 'must be a whole number of at least 1.';
const SECONDS = 'must be a number above 0.';
const NAMES =
  'plans must have at least one plan, each named by a letter or a digit and then also space, . _ -.';
const wrongFiles: readonly (readonly [what: string, text: string, message: string])[] = [
  ['nothing', '', 'the plan file is not JSON: JSON value expected but reached end of input at position 0.'],
  ['prose', 'free: 60', "the plan file is not JSON: JSON value expected but got 'f' at position 0."],
  [
    'NaN',
    '{"minuteSeconds":NaN}',
    "the plan file is not JSON: Object value expected after ':' at position 17.",
  ],
  ['a list', '[]', 'the file must be an object.'],
  ['null', 'null', 'the file must be an object.'],
  ['no field', '{}', `minuteSeconds ${SECONDS}`],
  ['no plans', '{"minuteSeconds":1,"daySeconds":1}', 'plans must be an object.'],
  ['plans as a list', shown([]), 'plans must be an object.'],
  ['no plan', shown({}), NAMES],
  ['a minute of 0', shown({}, { minuteSeconds: 0 }), `minuteSeconds ${SECONDS}`],
  ['a negative minute', shown({}, { minuteSeconds: -2 }), `minuteSeconds ${SECONDS}`],
  ['a minute as text', shown({}, { minuteSeconds: '60' }), `minuteSeconds ${SECONDS}`],
  ['an endless day', shown({}).replace('86400', '1e999'), `daySeconds ${SECONDS}`],
  [
    'a day below the minute',
    shown({ free: null }, { daySeconds: 59 }),
    'the file must have a daySeconds that is not below its minuteSeconds.',
  ],
  ['a limit of 0', free(0, 10), `plans["free"].perMinute ${INTEGER}`],
  ['a negative limit', free(5, -1), `plans["free"].perDay ${INTEGER}`],
  ['a broken limit', free(5.5, 10), `plans["free"].perMinute ${INTEGER}`],
  ['a limit beyond counting', free(5, 2 ** 53), `plans["free"].perDay ${INTEGER}`],
  ['a limit as text', free('60', 10), `plans["free"].perMinute ${INTEGER}`],
  ['a limit of null', free(60, null), `plans["free"].perDay ${INTEGER}`],
  ['a limit missing', shown({ free: { perMinute: 1 } }), `plans["free"].perDay ${INTEGER}`],
  ['a day below a minute', free(60, 59), 'plans["free"] must have a perDay that is not below its perMinute.'],
  ['a plan as a number', shown({ free: 60 }), 'plans["free"] must be an object.'],
  [
    'an unknown field',
    shown({}, { hourSeconds: 1 }),
    'the file has "hourSeconds"; it may have minuteSeconds, daySeconds, plans.',
  ],
  [
    'an unknown field of a plan',
    shown({ free: { perHour: 1 } }),
    'plans["free"] has "perHour"; it may have perMinute, perDay.',
  ],
  ['a plan __proto__', shown({}).replace('{}', '{"__proto__":null}'), NAMES],
  [
    'a field __proto__',
    '{"__proto__":{}}',
    'the file has "__proto__"; it may have minuteSeconds, daySeconds, plans.',
  ],
  ['a plan without a name', shown({ '': null }), NAMES],
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
    `The plan file ${path} cannot be read: there is no such file or folder.`,
  );
  assert.equal(
    said(() => loadPlans(folder)),
    `The plan file ${folder} cannot be read: it is a folder.`,
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
