import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { after, test as nodeTest } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { chromium } from '@playwright/test';
import axe from 'axe-core';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { writeReports } from '../../../reports/write.ts';
import { findTool } from '../../../tools/tools.ts';
import { temporaryFolder } from '../tools/folder.ts';

const { path: executablePath, skip } = await findTool('chromium');

/** A test that needs a browser: it is skipped where there is none. */
export const test = (name: string, body: (t: TestContext) => Promise<void>) => nodeTest(name, { skip }, body);

/** The browser of a test file: its start takes longer than most tests. */
let started: Promise<Awaited<ReturnType<typeof chromium.launch>>> | undefined;
after(async () => (await started)?.close());

function running(): NonNullable<typeof started> {
  started ??= chromium.launch({ executablePath });
  return started;
}

/** Opens the report of a record in a browser. The test fails if the page has an error, sends a request or writes to the console. */
export async function openedReport(t: TestContext, record: RunRecord, trace?: Trace): Promise<Page> {
  const folder = temporaryFolder(t);
  await writeReports(record, folder, trace);
  const { href } = pathToFileURL(join(folder, 'report.html'));
  const page = await (await running()).newPage();
  t.after(() => page.close());
  const events: string[] = [];
  page.on('console', (message) => events.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => events.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => events.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => events.push(`request: ${request.url()}`));
  t.after(() => assert.deepEqual(events, [`request: ${href}`]));
  await page.goto(href);
  return page;
}

/** Asserts that a page breaks no rule of axe-core: on a wide and a narrow screen, in both colour schemes and in print. */
export async function assertAccessible(page: Page): Promise<void> {
  for (const [width, colorScheme, media] of [
    [1280, 'light', 'screen'],
    [390, 'light', 'screen'],
    [1280, 'dark', 'screen'],
    [680, 'light', 'print'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, media });
    await page.evaluate(axe.source);
    const broken = await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))');
    assert.deepEqual(broken, [], `${width} ${colorScheme} ${media}`);
  }
}

/** Asserts that a screen of each of these widths shows a page without scrolling to the side. */
export async function assertFits(page: Page, ...widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const needed = await page.locator('html').evaluate((html) => html.scrollWidth);
    assert.ok(needed <= width, `${needed} of ${width} pixels`);
  }
}

/** Pages of a PDF, by its page tree. */
const pagesOf = (pdf: Buffer): number => Number(/\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]);

const printedPages = async (page: Page): Promise<number> =>
  pagesOf(await page.pdf({ preferCSSPageSize: true }));

/** Asserts that a page is printed on two sheets at most, in text that can be read. */
export async function assertPrintedShort(page: Page, what: string): Promise<void> {
  assert.ok((await printedPages(page)) <= 2, what);
  await assertLegibleInPrint(page, what);
}

/** Asserts that a page is printed on more than two sheets where everything is asked for. */
export async function assertPrintedOnRequest(page: Page): Promise<void> {
  await page.check('#print-all');
  assert.ok((await printedPages(page)) > 2);
  await assertLegibleInPrint(page, 'everything');
}

async function assertLegibleInPrint(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  assert.ok((await smallestText(page)) >= 8, what);
  await page.emulateMedia({ media: null });
}

/** The size of the smallest visible text of a page, in points. */
const smallestText = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.min(...[...document.body.querySelectorAll('*')]
    .filter((one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== ''))
    .filter((one) => one.getClientRects().length > 0)
    .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom * 0.75))`);
