import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { prose } from './prose.ts';

/** What limits the meaning of a run, in full; nothing where nothing does. */
export function remarksSection(remarks: readonly string[]): Markup {
  if (remarks.length === 0) return markup``;
  return markup`<section aria-labelledby="remarks">
<h2 id="remarks">Remarks</h2>
<p>What limits the meaning of this run.</p>
<ul>
${remarks.map((one) => markup`<li>${prose(one)}</li>\n`)}</ul>
</section>
`;
}
