import type { Finding, RunRecord } from '../../kernel/findings/record.ts';
import { beginningOf } from '../foreign-text.ts';
import { tallyOf } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { prose } from './prose.ts';

/** What the first page has space for, besides everything else there. */
const MOST_NAMED = 6;
/** So many have space for two lines each. */
const FEW = 3;
/** Characters of a printed line. */
const LINE = 85;

/** How many lines a page with so many violated requirements needs for them. */
export const linesOfViolated = (violated: number): number =>
  violated <= FEW ? 2 * violated : Math.min(violated, MOST_NAMED + 1);

/** The violated requirements by id and sentence, right behind the outcome, a MUST first; nothing where there are none. */
export function violatedList(record: RunRecord): Markup {
  const violated = tallyOf(record).fail;
  if (violated.length === 0) return markup``;
  const more = violated.length - MOST_NAMED;
  const limit = violated.length <= FEW ? 2 * LINE : LINE;
  return markup`<ul class="violated">
${violated.slice(0, MOST_NAMED).map((finding) => item(finding, limit))}${more > 0 ? markup`<li>and <a href="#glance">${more} more</a></li>\n` : markup``}</ul>
`;
}

function item(finding: Finding, limit: number): Markup {
  const known = 'known' in finding && finding.known !== undefined ? ' (known)' : '';
  return markup`<li><a href="#finding-${finding.id}"><strong>${finding.id}</strong></a> ${prose(beginningOf(finding.sentence, limit))}${known}</li>
`;
}
