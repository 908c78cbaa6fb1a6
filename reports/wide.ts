import type { Markup } from './written.ts';
import { markup } from './written.ts';

/**
 * A table that may be wider than a narrow screen: it then scrolls within the page, by keyboard, too.
 * @param name what it shows; differs from that of every other one on the page.
 */
export const wide = (name: string, table: Markup): Markup =>
  markup`<section class="wide" aria-label="${name}" tabindex="0">${table}</section>
`;
