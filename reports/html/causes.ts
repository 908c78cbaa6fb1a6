import type { Cause } from '../../suites/model/record.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { prose } from './prose.ts';

/** The causes that explain several findings each, with the fix. Empty where every finding stands alone. */
export function causesSection(causes: readonly Cause[]): Markup {
  if (causes.length === 0) return markup``;
  return markup`<section aria-labelledby="causes">
<h2 id="causes">Causes <span class="count">${causes.length}</span></h2>
<p>Each cause explains several findings below, and is fixed once.</p>
<dl class="causes">
${causes.map(causeEntry)}</dl>
</section>
`;
}

function causeEntry({ title, requirements, fix }: Cause): Markup {
  const links = requirements.map(
    (id, at) => markup`${at === 0 ? '' : ', '}<a href="#finding-${id}">${id}</a>`,
  );
  const how = fix === undefined ? markup`` : markup`<dd><strong>Fix:</strong> ${prose(fix)}</dd>\n`;
  return markup`<div><dt>${prose(title)}</dt>
<dd>Explains ${requirements.length} findings: ${links}.</dd>
${how}</div>
`;
}
