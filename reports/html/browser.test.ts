import assert from 'node:assert/strict';
import {
  assertAccessible,
  assertFits,
  assertPrintedOnRequest,
  assertPrintedShort,
  openedReport,
  test,
} from '../../evaluation/testing/reports/browser.ts';
import { crammed } from '../../evaluation/testing/reports/contracts.ts';
import {
  crammedLoadRun,
  emptyLoadRun,
  loadRun,
  loadRunWith,
  phasedLoadRun,
} from '../../evaluation/testing/reports/load-runs.ts';
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

/** Short ones, so that all of them stand in one text. */
const HOSTILE_TEXT = HOSTILE.filter((one) => one.length < 1000).join('\n');

test('a browser shows a hostile report as mere text, on a screen of any width', async (t) => {
  const page = await openedReport(t, hostile(HOSTILE_TEXT));

  assert.equal(await page.title(), 'violates: petstore-conformance');
  assert.deepEqual(await page.locator('h1, h2').allInnerTexts(), [
    '✗ The target violates 3 requirements of the specification. One cause explains 2 of them.',
    ...['Fail 3', 'Inconclusive 1', 'Warn 1', 'Not tested', 'Remarks', 'What was tested'],
    ...['All requirements', 'Observations', 'Evidence', 'How to read this', 'About this run'],
  ]);
  assert.equal(await page.locator('script').count(), 1, 'the search is the only script');
  assert.equal(await page.locator('img, iframe, link, [onerror], [onmouseover]').count(), 0);

  const because = await page.locator('#remarks ~ ul li').first().textContent();
  assert.equal(because?.replaceAll('`', ''), visibleBlock(HOSTILE_TEXT).replaceAll('`', ''));

  const evidence = page.locator('#exchange-12');
  assert.equal(await evidence.isVisible(), false);
  await page.locator('tr#LIST-1 a[href="#exchange-12"]').click();
  await evidence.waitFor({ state: 'visible' });

  await assertFits(page, 360, 1200);
});

test('printing gives every finding on two pages of A4 at most, and the rest on request', async (t) => {
  const crowded = hostile('A long text about what happened in this place of the response. '.repeat(8));
  const others = [conforming(), violating(), explained(), withManyExchanges(4000), crammed()];
  for (const record of [crowded, ...others]) {
    const page = await openedReport(t, record);
    await assertPrintedShort(page, record.outcome);
    const problems = record.requirements.filter(({ verdict }) => /fail|warn|inconclusive/.test(verdict));
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('.finding h3 a:visible').count(), problems.length);
    await page.emulateMedia({ media: null });
    if (record === crowded) await assertPrintedOnRequest(page);
  }
});

test('the first screen shows what is violated, with what was expected and received, on a wide and a narrow one', async (t) => {
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
  await assertFits(crowded, 390);
});

test('a table that is wider than the screen says that it scrolls, and another one does not', async (t) => {
  const page = await openedReport(t, violating());
  const hint = (): Promise<string> =>
    page.evaluate("getComputedStyle(document.querySelector('.wide'), '::before').height");
  assert.equal(await hint(), '0px');
  await page.setViewportSize({ width: 390, height: 844 });
  assert.notEqual(await hint(), '0px');
});

test('no rule of axe-core is broken, on a wide and a narrow screen, in both schemes and in print', async (t) => {
  for (const record of [violating(), conforming(), hostile('a text')])
    await assertAccessible(await openedReport(t, record));
  const { record, trace } = phasedLoadRun();
  await assertAccessible(await openedReport(t, record, trace));
});

test('requirements are filtered and searched with the keyboard alone, and an address always leads to its row', async (t) => {
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
});

test('without scripts the report is complete: the filter works, and there is no search', async (t) => {
  const page = await openedReport(t, violating());
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const bare = await context?.newPage();
  assert.ok(bare !== undefined);
  await bare.goto(page.url());
  assert.ok(!(await bare.locator('#search').isVisible()));
  await bare.locator('#show-fail').check();
  assert.ok(!(await bare.locator('#LIST-1').isVisible()));
  assert.ok(await bare.locator('#RETRY-1').isVisible());
});

test('one click selects a whole command, and a report with 10,000 exchanges opens within a second', async (t) => {
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
});

test('a browser draws a hostile load report as mere text, on a screen of any width', async (t) => {
  const { record, trace } = loadRun(HOSTILE_TEXT);
  const page = await openedReport(t, record, trace);

  assert.equal(await page.title(), 'violates: load over-limit');
  assert.equal(await page.locator('img, iframe, link, [onerror], [onmouseover]').count(), 0);
  const picture = await page.locator('svg[aria-labelledby="run-title"]').boundingBox();
  assert.ok(picture !== null && picture.width > 600 && picture.height > 100);
  assert.deepEqual(await page.locator('.canvas .end').allTextContents(), ['p50', 'p95', 'p99']);
  for (const kind of ['.dots.accepted', '.point.rate-limited', '.point.no-response', '.line.strong'])
    assert.ok(await page.locator(`.canvas ${kind}`).first().isVisible(), kind);
  await assertFits(page, 360, 1200);
});

test('printing a load run gives two pages of A4 at most, however much there is to say, and the rest on request', async (t) => {
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
    await assertPrintedShort(page, `run ${at}`);
    if (at === 0) await assertPrintedOnRequest(page);
  }
});
