import { partsOf } from '../../../kernel/findings/finding-text.ts';
import { ownFixOf } from '../../../kernel/findings/findings.ts';
import type { Finding, LoadRecord } from '../../../kernel/findings/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { bounded } from '../../foreign-text.ts';
import type { Masthead, Section } from '../../html/document.ts';
import { remarksSection, reportPage } from '../../html/document.ts';
import { ADDRESS_LIMIT } from '../../html/facts.ts';
import { fixText, partList } from '../../html/finding.ts';
import { badge, code, prose } from '../../html/prose.ts';
import { countsOf, momentOf, outcomeSentence, outcomeSign, worstFirst } from '../../outcome.ts';
import { pageCommand } from '../../page-command.ts';
import { figureTable } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { nextStep, PHASE_COLUMNS, sentText } from '../texts.ts';
import { aboutLoadRun } from './about.ts';
import { keysSection } from './keys.ts';
import { latencySection } from './latency.ts';
import { overTimeSections } from './over-time.ts';
import { tiles } from './tiles.ts';
import { unjudgedSection } from './unjudged.ts';

/** `report.html` of a load run: the verdict, the figures, the charts, then the expectations, in one file for a person. */
export function renderLoadHtml(record: LoadRecord, trace: Trace): string {
  return reportPage({
    title: `${record.outcome}: load ${record.profile}`,
    masthead: masthead(record, trace),
    sections: [
      ...overTimeSections(record, trace),
      phasesSection(record),
      latencySection(record, trace),
      expectationsSection(record),
      unjudgedSection(record),
      remarksSection(record.remarks),
      keysSection(record),
      guideSection(),
      aboutLoadRun(record),
    ],
  });
}

function masthead(record: LoadRecord, trace: Trace): Masthead {
  const { profile, outcome, target, startedAt } = record;
  const next = nextStep(record);
  return {
    kind: `Load report: Pet Store Service, profile ${profile}`,
    result: outcome,
    mark: outcomeSign(record).mark,
    sentence: outcomeSentence(record),
    further: markup`${next === undefined ? markup`` : markup`<p>${next}</p>\n`}<p class="subject">${code(target.baseUrl, ADDRESS_LIMIT)}, plan ${bounded(target.plan, ADDRESS_LIMIT)}. ${sentText(record)}, ${momentOf(startedAt)}.</p>
${tiles(record, trace)}`,
    counts: countsOf(record),
  };
}

/** Every expectation, once: what was expected and what was received, a failed one first. */
function expectationsSection({ requirements }: LoadRecord): Section {
  return {
    id: 'expectations',
    title: 'Expectations',
    count: requirements.length,
    content: markup`<p class="quiet">How an expectation is judged: <code>${pageCommand('ID')}</code>.</p>
<div class="cards">
${worstFirst(requirements).map(findingCard)}</div>
`,
    classes: 'findings',
  };
}

const NO_EVIDENCE = new Map();

const findingCard = (finding: Finding): Markup =>
  markup`<article class="finding ${finding.verdict}" aria-labelledby="finding-${finding.id}">
<h3 id="finding-${finding.id}">${badge(finding.verdict)} ${finding.id} <span class="sentence">${prose(finding.sentence)}</span></h3>
${partList(partsOf(finding), NO_EVIDENCE)}${fixText(ownFixOf(finding), NO_EVIDENCE)}</article>
`;

/** Characters of one cell. */
const CELL_LIMIT = 200;

/** The phases of a profile that compares them: its steps, its burst, or its tenths. */
function phasesSection({ phases = [] }: LoadRecord): Section | undefined {
  if (phases.length === 0) return undefined;
  const columns = PHASE_COLUMNS.map(([name]) => name);
  const rows = phases.map((phase) => PHASE_COLUMNS.map(([, text]) => bounded(text(phase), CELL_LIMIT)));
  return {
    id: 'phases',
    title: 'Phases',
    content: markup`${figureTable('The phases', columns, rows)}<p class="quiet">Requests that were due and 2xx responses in a second, of all keys. Latency from the intended send time, where one was planned. Errors are 5xx and requests without a response.</p>
`,
    classes: 'phases',
  };
}

const guideSection = (): Section => ({
  id: 'guide',
  title: 'How to read this',
  content: markup`<dl class="meanings">
<dt>${badge('fail')}</dt><dd>The responses contradict the expectation, whichever conforming limiter the target uses.</dd>
<dt>${badge('inconclusive')}</dt><dd>No verdict on the target: the load generator missed its schedule, the run stopped early, or another client may have used the key. Run the profile again.</dd>
<dt>${badge('pass')}</dt><dd>Every planned request was sent, and the responses meet the expectation.</dd>
</dl>
<p>The target conforms in this profile if every expectation passes, violates it if one fails, and the run is incomplete otherwise. The verdicts are based on the samples in the same folder and on nothing else. Remaining is the value that the target advertises; where less of the day’s quota remains than of the minute’s, it describes the day.</p>
`,
  classes: 'more',
});
