import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/**
 * The only script of a page: it hides the requirements that do not contain every word of the search field. Without
 * it the field stays hidden, and the page is complete. Its text never changes, so the page's policy names its digest.
 */
export const searchScript: Markup = markup`
const field = document.getElementById('search');
const found = document.getElementById('found');
const rows = [...document.querySelectorAll('.requirement')];
const texts = rows.map((row) => row.textContent.toLowerCase());
field.parentElement.hidden = false;
field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\\s+/);
  rows.forEach((row, at) => row.classList.toggle('unmatched', !words.every((word) => texts[at].includes(word))));
  found.textContent = field.value === '' ? '' : rows.filter((row) => !row.classList.contains('unmatched')).length + ' found';
});
`;
