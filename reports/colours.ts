import type { Markup } from './written.ts';
import { markup } from './written.ts';

/** The colours of every report, light and dark. Text has a contrast of at least 4.5 to 1 in both schemes (WCAG 2.2 AA). */
export const colours: Markup = markup`
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f7f8; --line: #d6dae0; --text: #1b1f24; --quiet: #545c66; --link: #0b57a4;
  --fail: #a8201a; --inconclusive: #6a3d9a; --warn: #805300; --pass: #17653a; --not-tested: #545c66;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --raised: #1d2126; --line: #3a414a; --text: #e6e9ed; --quiet: #a7b0bb; --link: #84bdf7;
    --fail: #ff8f86; --inconclusive: #c9a6f5; --warn: #eab54d; --pass: #76d39b; --not-tested: #a7b0bb;
  }
}
`;
