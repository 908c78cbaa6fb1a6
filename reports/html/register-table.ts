import { COMMAND } from '../../kernel/basics/text.ts';
import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Finding, Observation, RunRecord } from '../../kernel/findings/record.ts';
import { nounOf } from '../subject.ts';
import { table } from '../tables.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Section } from './document.ts';
import { chapterClass, filterControls } from './document.ts';
import type { Evidence } from './prose.ts';
import { badge, citation, linkedProse, prose } from './prose.ts';

/** Every requirement of the register with its verdict, chapter by chapter. */
export function registerSection(record: RunRecord, evidence: Evidence): Section {
  const chapters = groupedBy(record.requirements, ({ chapter }) => chapter);
  const bodies = [...chapters].map(
    ([chapter, findings], at) => markup`<tbody class="${chapterClass(at)}">
<tr class="chapter"><th colspan="4" scope="rowgroup">${chapter}</th></tr>
${findings.map((one) => findingRow(one, evidence))}</tbody>
`,
  );
  return {
    id: 'register',
    title: 'All requirements',
    classes: 'requirements more',
    content: markup`<p>How a requirement is judged, what that cannot see, and how to fix a violation: <code>${COMMAND} explain ID</code>, on any machine, without a network.</p>
${filterControls(record, [...chapters.keys()])}<table class="register">
<thead><tr><th scope="col">Requirement</th><th scope="col">Verdict</th><th scope="col">Statement and reason</th><th scope="col">Exchanges</th></tr></thead>
${bodies}</table>
`,
  };
}

function findingRow(finding: Finding, evidence: Evidence): Markup {
  const { id, level, verdict, sentence, exchanges } = finding;
  return markup`<tr class="requirement ${verdict}" id="${id}"><th scope="row"><a href="#${id}">${id}</a> <span class="level">${level}</span></th><td>${badge(verdict)}</td><td>${prose(sentence)}${reason(finding, evidence)}</td><td class="exchanges">${citation(exchanges, evidence)}</td></tr>
`;
}

/** A finding with a card of its own is explained there. */
function reason({ id, verdict, because }: Finding, evidence: Evidence): Markup {
  if (verdict === 'pass' || verdict === 'not-tested')
    return markup`<p class="quiet">${linkedProse(because, evidence)}</p>`;
  return markup`<p class="quiet"><a href="#finding-${id}">The finding and its evidence</a></p>`;
}

/** What the specification leaves open, as the subject does it. Empty where nothing was observed. */
export function observationsSection(record: RunRecord, evidence: Evidence): Section | undefined {
  const { observations } = record;
  if (observations.length === 0) return undefined;
  return {
    id: 'observations',
    title: 'Observations',
    classes: 'more',
    content: markup`<p>What the specification leaves open, and what this ${nounOf(record)} does. Nothing here changes the outcome.</p>
${table(
  ['Requirement', 'Open question', 'Observed', 'Exchanges'],
  observations.map((one) => observationRow(one, evidence)),
  'register observations',
)}`,
  };
}

function observationRow(observation: Observation, evidence: Evidence): Markup {
  const { id, sentence, value, exchanges, warning, advice } = observation;
  const note =
    warning === undefined
      ? markup``
      : markup`<p><span class="badge warn">! warn</span> ${prose(warning)}</p>`;
  const counsel = advice === undefined ? markup`` : markup`<p><strong>Advice:</strong> ${prose(advice)}</p>`;
  return markup`<tr id="${id}"><th scope="row"><a href="#${id}">${id}</a></th><td>${prose(sentence)}</td><td>${linkedProse(value, evidence)}${note}${counsel}</td><td class="exchanges">${citation(exchanges, evidence)}</td></tr>
`;
}
