import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { rowsOf, sectionsOf } from '../evaluation/testing/documents.ts';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { assertPage } from '../evaluation/testing/tools/page.ts';
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

const WRONG_FILES: Readonly<Record<string, string>> = {
  nothing: '',
  prose: 'free: 60',
  NaN: '{"minuteSeconds":NaN}',
  'a list': '[]',
  null: 'null',
  'no field': '{}',
  'no plans': '{"minuteSeconds":1,"daySeconds":1}',
  'plans as a list': shown([]),
  'no plan': shown({}),
  'a minute of 0': shown({}, { minuteSeconds: 0 }),
  'a negative minute': shown({}, { minuteSeconds: -2 }),
  'a minute as text': shown({}, { minuteSeconds: '60' }),
  'an endless day': shown({}).replace('86400', '1e999'),
  'a day below the minute': shown({ free: null }, { daySeconds: 59 }),
  'a limit of 0': free(0, 10),
  'a negative limit': free(5, -1),
  'a broken limit': free(5.5, 10),
  'a limit beyond counting': free(5, 2 ** 53),
  'a limit as text': free('60', 10),
  'a limit of null': free(60, null),
  'a limit missing': shown({ free: { perMinute: 1 } }),
  'a day below a minute': free(60, 59),
  'a plan as a number': shown({ free: 60 }),
  'an unknown field': shown({}, { hourSeconds: 1 }),
  'an unknown field of a plan': shown({ free: { perHour: 1 } }),
  'a plan __proto__': shown({}).replace('{}', '{"__proto__":null}'),
  'a field __proto__': '{"__proto__":{}}',
  'a plan without a name': shown({ '': null }),
  'a key that stands twice': '{"minuteSeconds":60,"minuteSeconds":2}',
};

const WRONG_NAMES = ['Free', 'buisness', 'prro', 'gold', '', 'toString', '__proto__', 'enterprise'];

test('a plan file or a plan that is rejected is explained in one sentence', () => {
  const files = Object.entries(WRONG_FILES).map(
    ([what, text]) => `${what}\n  ${said(() => parsePlans(text, 'mine.json'))}`,
  );
  const names = WRONG_NAMES.map((name) => `the plan "${name}"\n  ${said(() => limitsOf(loadPlans(), name))}`);
  assertPage('spec/rejected-plans.txt', `${[...files, ...names].join('\n')}\n`);
});

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
