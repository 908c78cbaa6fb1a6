import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runWith, virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, pass, rowsOf } from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { isRateLimited, thrice, used } from '../../../evaluation/testing/suites/uses.ts';
import { testRows } from '../../../evaluation/testing/suites/verdict-rows.ts';
import { isOfBytes } from '../../../reference-server/catalogue/faults/fault.ts';
import { faults } from '../../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { register } from '../../../spec/register.ts';
import { creations } from '../probes/creations.ts';
import { secondWindow, thirdWindow } from '../probes/later-windows.ts';
import { preflight } from '../probes/preflight.ts';
import { recovery } from '../probes/recovery.ts';
import { observables, requirements } from './index.ts';

// What a sentence description beyond the verdict, where the stacks of others showed that a reader needs it.

const { lines } = await virtualRun();
const { at, asked, answered, both } = edit;
const limited = both(asked('exhaust-quota'), answered(429));
const nameAlone = asked(creations.id, creations.steps.nameAlone);

const bounded = await virtualRun({ fault: findVariant('names-of-sixteen') });

// A sentence of a pass states what was checked, and nothing that was not.
testRows(lines, [
  ...rowsOf('RATE-4', {
    'a gateway’s own page as the 429': fail(
      at(limited, edit.header('X-RateLimit-Limit'), edit.header('Content-Type', 'text/html')),
      /a gateway in front of the service may have answered/,
    ),
  }),
  ...rowsOf('LIST-1', {
    'a router that adds a slash': fail(
      at(asked('preflight'), edit.status(301), edit.header('Location', '/v1/categories/')),
      /received 301 with Location "\/v1\/categories\/"/,
    ),
    'that a list was not answered': pass(
      at(asked('list-after-creations'), edit.limited),
      /\(\d+ exchanges; 1 other proved nothing\)\.$/,
    ),
  }),
  ...rowsOf('CREATE-4', {
    'a status that a framework has for invalid bodies': fail(
      at(asked('rejections', 'no name'), edit.status(422)),
      /received 422 in .*\. Clients act on the documented status/,
    ),
  }),
  ...rowsOf('CAT-4', {
    'two workers that give the same id': fail(
      edit.rewriteAt(asked('list-after-creations'), (body) =>
        body.replaceAll(/"name":"(?:[^"\\]|\\.)*"/g, '"name":"another"'),
      ),
      /If that is another category, two have the same id/,
    ),
  }),
  ...rowsOf('CAT-2', {
    'a name that is a number': fail(
      edit.rewriteAt(nameAlone, (body) => body.replace(/"name":"[^"]*"/, '"name":123')),
      /received 123 as `name`/,
    ),
  }),
  ...rowsOf('LIST-3', {
    'which categories were compared, and with which lists': pass(
      edit.unchanged,
      /^\d+ categories were compared \(created in exchanges 3, 7, 8, 9, .*\): every later list contains each of them with the id of its 201 and, .*, the name and description that were sent or that the 201 showed\.$/,
    ),
  }),

  ...rowsOf('CREATE-11', {
    'how many creations were compared': pass(
      edit.unchanged,
      /^\d\d creations of this run returned 201 with an id/,
    ),
  }),
  ...rowsOf('CREATE-12', {
    'which ids were sent and what came back': pass(
      edit.unchanged,
      /sent the id 1 and got 7; .* sent the id \d{10} and got 8\.$/,
    ),
  }),
  ...rowsOf('CREATE-10', {
    'how many creations could be found': pass(
      edit.unchanged,
      /^\d\d creations with a text unique to this run returned 400 or 401/,
    ),
  }),
]);

test('a bound of names shows in CREATE-1 and CREATE-13, with both sides of it', () => {
  const { requirements, observations } = bounded.record;
  assert.match(
    requirements.find(({ id }) => id === 'CREATE-1')?.because ?? '',
    /a creation with name and description, returned 201 \(name "pc[a-z]{6}" of 8 characters.*returned 400 \(name "pc-virtual1-full-1" of 18 characters/,
  );
  assert.match(
    observations.find(({ id }) => id === 'CREATE-13')?.value ?? '',
    /name "pc-virtual1-full-1" of 18 characters.*: 400; name "pc[a-z]{6}" of 8 characters.*: 201/,
  );
});

const judged = register.filter((one) => one.judged === 'by certify');

test('every id that certify judges has exactly one judge, and no judge is without an id', () => {
  const ids = [...requirements, ...observables].map(({ id }) => id);
  assert.deepEqual([...ids].sort(), judged.map(({ id }) => id).sort());
});

test('every judged requirement has rows for the target and against it, or the conforming server and a fault in their place', async () => {
  const files = readdirSync('suites/service/requirements', { recursive: true, encoding: 'utf8' });
  const pages = files.filter((file) => file.endsWith('.rows.txt'));
  for (const page of pages) assert.ok(files.includes(page.replace(/rows\.txt$/, 'test.ts')), page);
  const rows = pages.flatMap((page) =>
    readFileSync(join('suites/service/requirements', page), 'utf8').split('\n'),
  );
  for (const { id, level } of judged) {
    if (level === 'OBSERVE') continue;
    const [bad, marked] = level === 'MUST' ? (['fail', 'breaks'] as const) : (['warn', 'warnings'] as const);
    const stated = rows.filter((line) => line.startsWith(`${id}: `)).join();
    if (stated.includes('pass') && stated.includes(bad)) continue;
    const fault = faults.find((one) => !isOfBytes(one) && one[marked].includes(id));
    assert.ok(fault !== undefined, `${id} has neither rows nor a fault`);
    const runs = [await virtualRun(), await virtualRun({ fault, ...runWith(fault.needs) })];
    const verdicts = runs.map(({ record }) => record.requirements.find((one) => one.id === id)?.verdict);
    assert.deepEqual(verdicts, ['pass', bad], `${id}, ${fault.id}`);
  }
});

const { lines: furtherWindowsLines } = await virtualRun({ thorough: true });
const similar = asked(secondWindow.id, secondWindow.steps.similarKey);

/** A first window as it should be, with the request after its 429. */
const firstWindow = (): Synthesis =>
  used(60)
    .add(isRateLimited(60))
    .wait(60)
    .add({ probe: recovery.id, step: recovery.steps.afterRetryAfter, left: 59 });

/** A second window in which so many requests are accepted, one every `everySeconds`, and then these follow. */
function second(
  count: number,
  everySeconds: number,
  ...end: readonly (readonly [number, StagedExchange])[]
): Synthesis {
  const probe = secondWindow.id;
  const run = firstWindow().wait(62).add({ probe, step: preflight.steps.baseline, left: 59 });
  const step = secondWindow.steps.newConnection;
  // A bucket gives each of them back meanwhile.
  const left = (i: number): number => (everySeconds > 0 ? 58 : Math.max(0, 59 - i));
  for (let i = 1; i < count; i += 1) run.wait(everySeconds).add({ probe, step, left: left(i) });
  for (const [wait, staged] of end) run.wait(wait).add({ probe, step, ...staged });
  return run;
}

/** A third window whose early requests still count, or do not, when they are older than a window. */
function third(run: Synthesis, everyRequestCounts: boolean): Synthesis {
  const probe = thirdWindow.id;
  const { early, aroundEnd, pastWindow } = thirdWindow.steps;
  run.wait(62).add({ probe, step: preflight.steps.baseline, left: 59 });
  for (let left = 58; left >= 40; left -= 1) run.add({ probe, step: early, left });
  run.wait(51);
  const after = everyRequestCounts ? 40 : 60;
  for (let i = 1; i <= 25; i += 1) run.wait(0.4).add({ probe, step: aroundEnd, left: after - i });
  run.wait(14);
  for (let i = 26; i <= 40; i += 1) run.add({ probe, step: pastWindow, left: after - i });
  return run.add({ probe, step: pastWindow, ...(everyRequestCounts ? isRateLimited(60) : { left: 19 }) });
}

/** What the further windows of a thorough run show. */
const furtherWindowRows = [
  ...rowsOf('LIMIT-1', {
    '62 accepted at once in a second window': fail(second(62, 0)),
    '65 accepted in a second window, as slowly as a bucket refills': inconclusive(second(65, 0.95)),
  }),
  ...rowsOf('LIMIT-2', {
    '429 after 30 in a second window and in each repetition': fail(
      thrice(second(30, 0, [0, isRateLimited(55)]), 30, [0, isRateLimited(55)]),
    ),
    '429 after 30 in a second window, and it was not tried again': inconclusive(
      second(30, 0, [0, isRateLimited(55)]),
    ),
  }),
  ...rowsOf('LIMIT-4', {
    'early requests still count after a window, twice': fail(third(third(firstWindow(), true), true)),
    'early requests still count after a window, and it was not tried again': inconclusive(
      third(firstWindow(), true),
    ),
    'early requests still count after a window, then they do not': inconclusive(
      third(third(firstWindow(), true), false),
    ),
  }),
];

testRows(furtherWindowsLines, [
  ...furtherWindowRows,
  ...rowsOf('AUTH-3', {
    'a similar key returns 401': pass(edit.unchanged),
    'a similar key is limited': pass(at(similar, edit.limited)),
    'a similar key is accepted': fail(at(similar, edit.status(200))),
  }),
]);
