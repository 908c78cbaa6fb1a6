import type { KeyCount } from '../../../kernel/findings/load.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { bounded } from '../../foreign-text.ts';
import type { Section } from '../../html/document.ts';
import { rounded } from '../../plots/scales.ts';
import { wide } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { totalOfKeys } from '../texts.ts';

/** Characters of the name of a key. */
const TEXT_LIMIT = 100;

/** Keys that stand in the open; those of a larger fleet are folded up behind their sum. */
const MOST_OPEN = 12;

/** Keys in the table at most; `report.json` has all. */
const MOST_ROWS = 1000;

/** Planned and actual requests of each key. */
export function keysSection(record: LoadRecord): Section {
  const { keys } = record;
  const total = keys.length === 1 ? [] : [totalOfKeys(record)];
  const open = keys.length <= MOST_OPEN ? [...keys, ...total] : total;
  return {
    id: 'keys',
    title: 'Requests',
    content: markup`<p>${bounded(record.ended.because, 1000)}</p>
${tableOf('Requests of each key', open)}${keys.length <= MOST_OPEN ? markup`` : foldedKeys(keys)}`,
    classes: 'more',
  };
}

function foldedKeys(keys: readonly KeyCount[]): Markup {
  const shown = keys.slice(0, MOST_ROWS);
  const summary =
    shown.length < keys.length ? `${shown.length} of ${keys.length} keys` : `Each of ${keys.length} keys`;
  return markup`<details>
<summary>${summary}</summary>
${tableOf(summary, shown)}</details>
`;
}

const tableOf = (name: string, counts: readonly KeyCount[]): Markup =>
  wide(
    name,
    markup`<table class="figures">
<thead><tr><th scope="col">Key</th><th scope="col">Planned</th><th scope="col">Sent</th><th scope="col">Accepted</th><th scope="col">Rate-limited</th><th scope="col">Failed</th><th scope="col" class="bar"><span class="unseen">Shares</span></th></tr></thead>
<tbody>
${counts.map(keyRow)}</tbody>
</table>`,
  );

function keyRow(count: KeyCount): Markup {
  const { key, planned, sent, accepted, rateLimited, failed } = count;
  return markup`<tr><th scope="row">${bounded(key, TEXT_LIMIT)}</th><td>${planned}</td><td>${sent}</td><td>${accepted}</td><td>${rateLimited}</td><td>${failed}</td><td class="bar">${bar(count)}</td></tr>
`;
}

/** A bar with the shares of accepted, rate-limited, failed and unsent requests. */
function bar({ planned, sent, accepted, rateLimited, failed }: KeyCount): Markup {
  const total = Math.max(1, planned, sent);
  let from = 0;
  const parts = [
    ['pass', accepted],
    ['warn', rateLimited],
    ['fail', failed],
    ['unsent', total - accepted - rateLimited - failed],
  ] as const;
  const rects = parts.map(([name, count]) => {
    const x = (from / total) * 100;
    from += count;
    return count > 0
      ? markup`<rect class="${name}" x="${rounded(x)}" width="${rounded((count / total) * 100)}" height="10"/>`
      : markup``;
  });
  return markup`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}
