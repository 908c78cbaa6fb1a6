import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, skipWithout } from '../../evaluation/testing/reports/browser.ts';
import { HOSTILE, hostile } from '../../evaluation/testing/reports/records.ts';
import { findChromium } from '../../tools/chromium.ts';
import { visibleBlock } from '../foreign-text.ts';
import { writeReports } from '../index.ts';

const browserHere = await findChromium();

test('a browser shows a hostile report as mere text, on a screen of any width', {
  skip: skipWithout(browserHere),
}, async (t) => {
  const text = HOSTILE.filter((one) => one.length < 1000).join('\n');
  const page = await opened(
    t,
    browserHere,
    async (folder) => (await writeReports(hostile(text), folder))[1] ?? '',
  );

  assert.equal(await page.title(), 'violates: petstore-conformance');
  assert.deepEqual(await page.locator('h1, h2').allInnerTexts(), [
    '✗ The target violates 3 requirements of the specification. One cause explains 2 of them.',
    ...[
      'Causes 1',
      'Fail 3',
      'Inconclusive 1',
      'Warn 1',
      'All requirements',
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
