import type { Cause } from '../../suites/model/record.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { prose } from './prose.ts';

/**
 * Findings with a common cause: the cause and its fix are shown once, above them.
 * @param id of the group on the page.
 */
export function causeGroup(
  { title, requirements, fix }: Cause,
  id: string,
  cards: readonly Markup[],
): Markup {
  const links = requirements.map(
    (one, at) => markup`${at === 0 ? '' : ', '}<a href="#finding-${one}">${one}</a>`,
  );
  return markup`<section class="cause" aria-labelledby="cause-${id}">
<h3 id="cause-${id}">One cause: ${prose(title)}</h3>
<p>It explains ${requirements.length} findings: ${links}.</p>
${fix === undefined ? markup`` : markup`<p><strong>Fix:</strong> ${prose(fix)}</p>\n`}${cards}</section>
`;
}
