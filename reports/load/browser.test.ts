import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertAccessible,
  inBrowser,
  openedReport,
  pagesOf,
  smallestText,
} from '../../evaluation/testing/reports/browser.ts';
import {
  crammedLoadRun,
  emptyLoadRun,
  loadRun,
  loadRunWith,
  phasedLoadRun,
} from '../../evaluation/testing/reports/load-runs.ts';
import { HOSTILE } from '../../evaluation/testing/reports/records.ts';

test('a browser draws a hostile load report as mere text, on a screen of any width', inBrowser, async (t) => {
  const text = HOSTILE.filter((one) => one.length < 1000).join('\n');
  const { record, trace } = loadRun(text);
  const page = await openedReport(t, record, trace);

  assert.equal(await page.title(), 'violates: load over-limit');
  assert.equal(await page.locator('img, iframe, link, [onerror], [onmouseover]').count(), 0);
  const picture = await page.locator('svg[aria-labelledby="run-title"]').boundingBox();
  assert.ok(picture !== null && picture.width > 600 && picture.height > 100);
  assert.deepEqual(await page.locator('.canvas .end').allTextContents(), ['p50', 'p95', 'p99']);
  for (const kind of ['.dots.accepted', '.point.rate-limited', '.point.no-response', '.line.strong'])
    assert.ok(await page.locator(`.canvas ${kind}`).first().isVisible(), kind);
  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    const needed = await page.locator('html').evaluate((html) => html.scrollWidth);
    assert.ok(needed <= width, `${needed} of ${width} pixels`);
  }
});

test(
  'printing gives two pages of A4 at most, however much there is to say, and the rest on request',
  inBrowser,
  async (t) => {
    const runs = [
      ...[loadRun(), loadRun('staging', 'conforms'), phasedLoadRun(), emptyLoadRun(), crammedLoadRun()],
      ...[
        { phases: 5, reason: 0 },
        { phases: 12, reason: 0 },
        { phases: 1, reason: 60 },
        { phases: 2, reason: 280 },
      ].map(loadRunWith),
    ];
    for (const [at, run] of runs.entries()) {
      const page = await openedReport(t, run.record, run.trace);
      assert.ok(pagesOf(await page.pdf({ preferCSSPageSize: true })) <= 2, `run ${at}`);
      await page.emulateMedia({ media: 'print' });
      assert.ok((await smallestText(page)) >= 8, `run ${at}`);
      await page.emulateMedia({ media: null });
      if (at > 0) continue;
      await page.check('#print-all');
      assert.ok(pagesOf(await page.pdf({ preferCSSPageSize: true })) > 2);
      await page.emulateMedia({ media: 'print' });
      assert.ok((await smallestText(page)) >= 8);
    }
  },
);

test(
  'no rule of axe-core is broken in a load report, on a wide and a narrow screen, in both schemes and in print',
  inBrowser,
  async (t) => {
    const { record, trace } = phasedLoadRun();
    await assertAccessible(await openedReport(t, record, trace));
  },
);
