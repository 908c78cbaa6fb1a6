import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { chromium } from '@playwright/test';
import { findChromium } from '../../tools/chromium.ts';
import { visibleBlock } from '../foreign-text.ts';
import { writeReports } from '../index.ts';
import { HOSTILE, hostile } from '../testing/records.ts';

const browserHere = await findChromium();
const skip = browserHere.kind === 'missing' && `no Chromium was found: ${browserHere.tried.join('; ')}`;

test('a browser shows a hostile report as mere text, on a screen of any width', { skip }, async (t) => {
  const text = HOSTILE.filter((one) => one.length < 1000).join('\n');
  const page = await opened(t, text);

  assert.equal(await page.title(), 'violates: petstore-conformance');
  assert.deepEqual(await page.locator('h1, h2').allInnerTexts(), [
    '✗ The target violates 1 requirement of the specification.',
    ...[
      'Violations 1',
      'Inconclusive 1',
      'Warnings 1',
      'The whole register',
      'Observations',
      'Remarks',
      'Evidence',
    ],
    'How to read this report',
  ]);
  assert.equal(await page.locator('script, img, iframe, link, [onerror], [onmouseover]').count(), 0);

  const because = await page.locator('#remarks ~ ul li').first().textContent();
  assert.equal(because?.replaceAll('`', ''), visibleBlock(text).replaceAll('`', ''));

  const evidence = page.locator('#exchange-12');
  assert.equal(await evidence.isVisible(), false);
  await page.locator('tr#LIST-1 a').click();
  await evidence.waitFor({ state: 'visible' });

  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    const needed = await page.locator('html').evaluate((html) => html.scrollWidth);
    assert.ok(needed <= width, `${needed} of ${width} pixels`);
  }
});

/** The report of a hostile target in a browser that fails the test when the page complains, asks for anything or says anything. */
async function opened(t: TestContext, text: string): Promise<Page> {
  const folder = await mkdtemp(join(tmpdir(), 'report-'));
  t.after(() => rm(folder, { recursive: true }));
  const [, html = ''] = await writeReports(hostile(text), folder);
  assert.ok(browserHere.kind === 'found');
  const browser = await chromium.launch({ executablePath: browserHere.path, args: [...browserHere.args] });
  t.after(() => browser.close());

  const page = await browser.newPage();
  const events: string[] = [];
  page.on('console', (message) => events.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => events.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => events.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => events.push(`request: ${request.url()}`));
  t.after(() => assert.deepEqual(events, [`request: ${pathToFileURL(html).href}`]));
  await page.goto(pathToFileURL(html).href);
  return page;
}
