/** A page for each requirement, made of the objects that state, judge and prove it. */
export type { Page } from './page.ts';
export { pageOf } from './page.ts';
export { pageLines, pageMarkdown } from './render.ts';
