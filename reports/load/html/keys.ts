import type { KeyCount, LoadRecord } from '../../../load/model/record.ts';
import { bounded } from '../../foreign-text.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { totalOfKeys } from '../texts.ts';
import { coordinate } from './scale.ts';

/** Characters of the name of a key. */
const TEXT_LIMIT = 100;

/** Planned and actual requests of each key. */
export function keysSection(record: LoadRecord): Markup {
  const rows = record.keys.length === 1 ? record.keys : [...record.keys, totalOfKeys(record)];
  return markup`<section aria-labelledby="keys">
<h2 id="keys">Requests</h2>
<p>${bounded(record.ended.because, 1000)}</p>
<table class="figures">
<thead><tr><th scope="col">Key</th><th scope="col">Planned</th><th scope="col">Sent</th><th scope="col">Accepted</th><th scope="col">Rate-limited</th><th scope="col">Failed</th><th scope="col" class="bar"><span class="unseen">Shares</span></th></tr></thead>
<tbody>
${rows.map(keyRow)}</tbody>
</table>
</section>
`;
}

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
      ? markup`<rect class="${name}" x="${coordinate(x)}" width="${coordinate((count / total) * 100)}" height="10"/>`
      : markup``;
  });
  return markup`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
}
