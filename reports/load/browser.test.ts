import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened, skipWithout } from '../../evaluation/testing/reports/browser.ts';
import { loadRun } from '../../evaluation/testing/reports/load-runs.ts';
import { HOSTILE } from '../../evaluation/testing/reports/records.ts';
import { findChromium } from '../../tools/chromium.ts';
import { writeLoadReports } from '../index.ts';

const browserHere = await findChromium();

test('a browser draws a hostile load report as mere text, on a screen of any width', {
  skip: skipWithout(browserHere),
}, async (t) => {
  const text = HOSTILE.filter((one) => one.length < 1000).join('\n');
  const { record, trace } = loadRun(text);
  const page = await opened(
    t,
    browserHere,
    async (folder) => (await writeLoadReports(record, trace, folder))[1] ?? '',
  );

  assert.equal(await page.title(), 'fail: load over-limit');
  assert.equal(await page.locator('script, img, iframe, link, [onerror], [onmouseover]').count(), 0);
  const picture = await page.locator('svg[aria-labelledby="run-title"]').boundingBox();
  assert.ok(picture !== null && picture.width > 600 && picture.height > 100);
  for (const kind of ['.dots.accepted', '.point.rate-limited', '.point.no-response', '.line.strong'])
    assert.ok(await page.locator(`.canvas ${kind}`).first().isVisible(), kind);
  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    const needed = await page.locator('html').evaluate((html) => html.scrollWidth);
    assert.ok(needed <= width, `${needed} of ${width} pixels`);
  }
});
