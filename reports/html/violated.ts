import type { Finding, RunRecord } from '../../suites/model/record.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { prose } from './prose.ts';

/** What the first page has space for, besides everything else there. */
export const MOST_NAMED = 6;
/** Characters of a printed line. */
const TITLE_LIMIT = 85;

/** The violated requirements by id and sentence, right behind the outcome, a MUST first; nothing where there are none. */
export function violatedList({ requirements }: RunRecord): Markup {
  const failing = requirements.filter(({ verdict }) => verdict === 'fail');
  if (failing.length === 0) return markup``;
  const isMust = ({ level }: Finding): boolean => level === 'MUST';
  const violated = [...failing.filter(isMust), ...failing.filter((one) => !isMust(one))];
  const more = violated.length - MOST_NAMED;
  return markup`<ul class="violated">
${violated.slice(0, MOST_NAMED).map(item)}${more > 0 ? markup`<li>and <a href="#glance">${more} more</a></li>\n` : markup``}</ul>
`;
}

function item(finding: Finding): Markup {
  const known = 'known' in finding && finding.known !== undefined ? ' (known)' : '';
  return markup`<li><a href="#finding-${finding.id}"><strong>${finding.id}</strong></a> ${prose(titleOf(finding.sentence))}${known}</li>
`;
}

/** The beginning of a sentence of the register, in whole words and without an open quotation of code. */
function titleOf(sentence: string): string {
  if (sentence.length <= TITLE_LIMIT) return sentence;
  const words = sentence.slice(0, sentence.lastIndexOf(' ', TITLE_LIMIT));
  const isOpen = words.split('`').length % 2 === 0;
  return `${isOpen ? words.slice(0, words.lastIndexOf('`')).trimEnd() : words} …`;
}
