import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { findChromium } from '../../tools/chromium.ts';
import { temporaryFolder } from '../testing/cli/command.ts';
import { attacks } from './attacks/index.ts';
import { boundsOf } from './bounds.ts';
import type { Attacked } from './certify.ts';
import { KEY, recordRun } from './certify.ts';

// Each attack of the table, against the real command in a process of its own. PROVE_HOSTILE=1 takes those, too,
// that need more time than a test run has.

const all = process.env['PROVE_HOSTILE'] === '1';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Forms in which the key would be found again. */
const FORMS = [
  KEY,
  KEY.slice(0, -1),
  encodeURIComponent(KEY),
  percent(KEY),
  Buffer.from(KEY).toString('base64'),
];

/** What holds after every attack: bounded, ended as a verdict or as a sentence, and without the key. */
function assertHeld(run: Attacked, bounds: ReturnType<typeof boundsOf>): void {
  const { out, err, files, cost } = run;
  assert.ok(cost !== undefined, `the command was killed: ${err}`);
  assert.ok(cost.megabytes <= bounds.megabytes, `${cost.megabytes} MB of ${bounds.megabytes}`);
  assert.ok(cost.cpuSeconds <= bounds.cpuSeconds, `${cost.cpuSeconds} s of ${bounds.cpuSeconds}`);
  assert.doesNotMatch(err, /\n {4}at |Unexpected error:/, 'no stack, and no bug in this program');
  const places = [['standard output', out], ['standard error', err], ...files] as const;
  for (const [place, text] of places) {
    for (const form of FORMS) assert.ok(!text.includes(form), `the key is in ${place}`);
  }
}

describe('a target that lies, stalls or attacks', { concurrency: 3 }, () => {
  for (const attack of attacks) {
    const skip = attack.long === true && !all && 'it takes long: set PROVE_HOSTILE=1';
    test(`${attack.id}: ${attack.does}`, { skip }, async (t) => {
      const run = await recordRun(t, attack);
      assertHeld(run, boundsOf(attack));
      assert.ok(
        attack.codes.some((code) => code === run.code),
        `exit ${run.code}: ${run.err}`,
      );
      const last = run.err.trimEnd().split('\n').at(-1) ?? '';
      if (run.code === 2) assert.match(last, /^petstore-conformance: [A-Z].*\.$/);
      if (attack.says !== undefined) assert.match(last, attack.says);
      if (run.code !== 2) assert.equal(run.files.size, 5, [...run.files.keys()].join(', '));
    });
  }
});

const browserHere = await findChromium();
const skip = browserHere.kind === 'missing' && `no Chromium was found: ${browserHere.tried.join('; ')}`;

test('a browser runs nothing of the report of a target that says harmful text', { skip }, async (t) => {
  const attack = attacks.find(({ id }) => id === 'harmful-text');
  assert.ok(attack !== undefined);
  const { files } = await recordRun(t, attack);
  const page = join(temporaryFolder(t), 'report.html');
  writeFileSync(page, files.get('report.html') ?? '');
  assert.deepEqual(await eventsOf(t, page), [`request: ${pathToFileURL(page).href}`]);
});

/** Everything that a page does by itself when a browser opens it and every fold of it. */
async function eventsOf(t: TestContext, path: string): Promise<readonly string[]> {
  assert.ok(browserHere.kind === 'found');
  const browser = await chromium.launch({ executablePath: browserHere.path, args: [...browserHere.args] });
  t.after(() => browser.close());
  const page = await browser.newPage();
  const events: string[] = [];
  page.on('console', (message) => events.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => events.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    events.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('request', (request) => events.push(`request: ${request.url()}`));
  await page.goto(pathToFileURL(path).href);
  await page.locator('details').evaluateAll((folds) => {
    for (const fold of folds) fold.setAttribute('open', '');
  });
  assert.equal(await page.locator('script, img, iframe, svg, [onload], [onerror]').count(), 0);
  return events;
}
