import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertAccessible,
  inBrowser,
  openedReport,
  pagesOf,
  smallestText,
} from '../../evaluation/testing/reports/browser.ts';
import { crammed } from '../../evaluation/testing/reports/contracts.ts';
import {
  conforming,
  explained,
  HOSTILE,
  hostile,
  violating,
  withManyExchanges,
} from '../../evaluation/testing/reports/records.ts';
import { visibleBlock } from '../written.ts';
import { renderHtml } from './page.ts';

test('a browser shows a hostile report as mere text, on a screen of any width', inBrowser, async (t) => {
  const text = HOSTILE.filter((one) => one.length < 1000).join('\n');
  const page = await openedReport(t, hostile(text));

  assert.equal(await page.title(), 'violates: petstore-conformance');
  assert.deepEqual(await page.locator('h1, h2').allInnerTexts(), [
    '✗ The target violates 3 requirements of the specification. One cause explains 2 of them.',
    ...['Fail 3', 'Inconclusive 1', 'Warn 1', 'Not tested', 'Remarks', 'What was tested'],
    ...['All requirements', 'Observations', 'Evidence', 'How to read this', 'About this run'],
  ]);
  assert.equal(await page.locator('script').count(), 1, 'the search is the only script');
  assert.equal(await page.locator('img, iframe, link, [onerror], [onmouseover]').count(), 0);

  const because = await page.locator('#remarks ~ ul li').first().textContent();
  assert.equal(because?.replaceAll('`', ''), visibleBlock(text).replaceAll('`', ''));

  const evidence = page.locator('#exchange-12');
  assert.equal(await evidence.isVisible(), false);
  await page.locator('tr#LIST-1 a[href="#exchange-12"]').click();
  await evidence.waitFor({ state: 'visible' });

  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    const needed = await page.locator('html').evaluate((html) => html.scrollWidth);
    assert.ok(needed <= width, `${needed} of ${width} pixels`);
  }
});

test(
  'printing gives every finding on two pages of A4 at most, and the rest on request',
  inBrowser,
  async (t) => {
    const long = 'A long text about what happened in this place of the response. '.repeat(8);
    const crowded = hostile(long);
    for (const record of [
      ...[conforming(), violating(), explained(), withManyExchanges(4000), crammed()],
      crowded,
    ]) {
      const page = await openedReport(t, record);
      assert.ok(pagesOf(await page.pdf({ preferCSSPageSize: true })) <= 2, record.outcome);
      await page.emulateMedia({ media: 'print' });
      assert.ok((await smallestText(page)) >= 8, record.outcome);
      const problems = record.requirements.filter(({ verdict }) => /fail|warn|inconclusive/.test(verdict));
      assert.equal(await page.locator('.finding h3 a:visible').count(), problems.length);
      await page.emulateMedia({ media: null });
      if (record !== crowded) continue;
      await page.check('#print-all');
      assert.ok(pagesOf(await page.pdf({ preferCSSPageSize: true })) > 2);
    }
  },
);

test(
  'the first screen shows what is violated, with what was expected and received, on a wide and a narrow one',
  inBrowser,
  async (t) => {
    const page = await openedReport(t, violating());
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      const first = page.locator('.finding').first();
      assert.deepEqual(await first.locator('.parts').first().locator('dt:visible').allInnerTexts(), [
        'Expected',
        'Received',
      ]);
      const box = await first.locator('.parts').first().boundingBox();
      assert.ok(box !== null && box.y + box.height <= size.height, `${box?.y}`);
    }
    const crowded = await openedReport(t, crammed());
    await crowded.setViewportSize({ width: 390, height: 844 });
    assert.ok((await crowded.locator('html').evaluate((html) => html.scrollWidth)) <= 390);
  },
);

test(
  'a table that is wider than the screen says that it scrolls, and another one does not',
  inBrowser,
  async (t) => {
    const page = await openedReport(t, violating());
    const hint = (): Promise<string> =>
      page.evaluate("getComputedStyle(document.querySelector('.wide'), '::before').height");
    assert.equal(await hint(), '0px');
    await page.setViewportSize({ width: 390, height: 844 });
    assert.notEqual(await hint(), '0px');
  },
);

test(
  'no rule of axe-core is broken, on a wide and a narrow screen, in both schemes and in print',
  inBrowser,
  async (t) => {
    for (const record of [violating(), conforming(), hostile('a text')]) {
      await assertAccessible(await openedReport(t, record));
    }
  },
);

test(
  'requirements are filtered and searched with the keyboard alone, and an address always leads to its row',
  inBrowser,
  async (t) => {
    const page = await openedReport(t, violating());
    const shown = (): Promise<readonly string[]> =>
      page.locator('.requirement:visible').evaluateAll((rows) => rows.map((row) => row.id));
    const all = (await shown()).length;

    await page.locator('#show-all').focus();
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await shown(), ['CREATE-4', 'RETRY-1']);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Retry');
    assert.deepEqual(await shown(), ['RETRY-1']);

    await page.goto(`${page.url()}#LIST-1`);
    assert.ok(await page.locator('#LIST-1').isVisible());
    await page.selectOption('#chapter', 'all');
    await page.check('#show-all');
    await page.locator('#search').focus();
    await page.keyboard.type('RETRY-1');
    assert.ok((await shown()).length < all);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    assert.equal((await shown()).length, all);
  },
);

test(
  'without scripts the report is complete: the filter works, and there is no search',
  inBrowser,
  async (t) => {
    const page = await openedReport(t, violating());
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    const bare = await context?.newPage();
    assert.ok(bare !== undefined);
    await bare.goto(page.url());
    assert.ok(!(await bare.locator('#search').isVisible()));
    await bare.locator('#show-fail').check();
    assert.ok(!(await bare.locator('#LIST-1').isVisible()));
    assert.ok(await bare.locator('#RETRY-1').isVisible());
  },
);

test(
  'one click selects a whole command, and a report with 10,000 exchanges opens within a second',
  inBrowser,
  async (t) => {
    const page = await openedReport(t, violating());
    const command = page.locator('.command').last();
    for (const fold of await page.locator('.finding summary').all()) await fold.click();
    await command.click();
    const selected = String(await page.evaluate('String(getSelection())'));
    assert.equal(selected.trim(), (await command.innerText()).trim());

    const html = renderHtml(withManyExchanges(10_000));
    const context = await page.context().browser()?.newContext();
    assert.ok(context !== undefined);
    const many = await context.newPage();
    const session = await context.newCDPSession(many);
    // Time of the page's own thread: tests run beside each other on machines with few cores.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await many.setContent(html);
    const { metrics } = await session.send('Performance.getMetrics');
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    t.diagnostic(`opened in ${seconds.toFixed(3)} s`);
    assert.ok(seconds < 1, `${seconds} s`);
  },
);
