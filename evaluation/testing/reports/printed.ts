import type { Page } from '@playwright/test';

/** Pages of a PDF, by its page tree. */
export const pagesOf = (pdf: Buffer): number => Number(/\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]);

/** The size of the smallest visible text of a page, in points. */
export const smallestText = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.min(...[...document.body.querySelectorAll('*')]
    .filter((one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== ''))
    .filter((one) => one.getClientRects().length > 0)
    .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom * 0.75))`);
