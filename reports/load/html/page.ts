import type { LoadFinding, LoadRecord } from '../../../load/model/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { bounded } from '../../foreign-text.ts';
import { countList, factList, htmlDocument, navigationList } from '../../html/document.ts';
import { productFacts } from '../../html/product-facts.ts';
import { badge, prose } from '../../html/prose.ts';
import { durationOf, momentOf, VERDICT_SIGNS } from '../../outcome.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { loadSentence, loadVerdictCounts, nextStep, sentText } from '../texts.ts';
import { keysSection } from './keys.ts';
import { latencySection } from './latency.ts';
import { overTimeSection } from './over-time.ts';
import { phasesSection } from './phases.ts';
import { loadStyle } from './style.ts';

/** Characters of one fact. */
const FACT_LIMIT = 400;

/** `load-report.html`: the verdict, the findings, the requests and the charts in one file for a person. */
export function renderLoadHtml(record: LoadRecord, trace: Trace): string {
  return htmlDocument({
    title: `${record.verdict}: load ${record.profile}`,
    further: loadStyle,
    body: markup`${masthead(record)}${navigation(record, trace)}<main id="main">
${findingsSection(record)}${phasesSection(record)}${overTimeSection(record, trace)}${keysSection(record)}${latencySection(record, trace)}${guideSection()}</main>
${colophon(record)}`,
  });
}

function masthead(record: LoadRecord): Markup {
  const next = nextStep(record);
  const { perMinute, perDay, minuteSeconds } = record.limits;
  const facts: readonly (readonly [name: string, value: Markup])[] = [
    ...productFacts(record.product),
    ['Target', markup`<code>${bounded(record.target.baseUrl, FACT_LIMIT)}</code>`],
    [
      'Plan',
      markup`${bounded(record.target.plan, FACT_LIMIT)}: ${perMinute} requests in ${minuteSeconds} s, ${perDay} a day`,
    ],
    ['Started', markup`<time datetime="${record.startedAt}">${momentOf(record.startedAt)}</time>`],
    ['Duration', markup`${durationOf(record)}`],
    ['Sent', markup`${sentText(record)}`],
  ];
  return markup`<header class="masthead">
<p>${record.suite.name}</p>
<h1 class="outcome ${record.verdict}"><span aria-hidden="true">${VERDICT_SIGNS[record.verdict].mark}</span> ${loadSentence(record)}</h1>
${next === undefined ? markup`` : markup`<p class="next">${next}</p>\n`}${remarksNote(record)}${factList(facts)}${countList(loadVerdictCounts(record))}</header>
`;
}

/** What limits the meaning of the run besides its findings. */
function remarksNote({ remarks = [] }: LoadRecord): Markup {
  if (remarks.length === 0) return markup``;
  return markup`<div class="untested" role="note">${remarks.map((one) => markup`<p>${bounded(one, FACT_LIMIT)}</p>`)}</div>
`;
}

function navigation({ latencyMs, phases = [] }: LoadRecord, { samples }: Trace): Markup {
  const sections: readonly (readonly [id: string, title: string, present: boolean])[] = [
    ['expectations', 'Expectations', true],
    ['phases', 'Phases', phases.length > 0],
    ['timeline', 'Over time', samples.length > 0],
    ['keys', 'Requests', true],
    ['latency', 'Latency', latencyMs !== null],
    ['guide', 'How to read this', true],
  ];
  return navigationList(sections.filter(([, , present]) => present));
}

/** Failed and inconclusive expectations as cards, the others as a table. */
function findingsSection({ findings }: LoadRecord): Markup {
  const cards = (['fail', 'inconclusive'] as const).flatMap((verdict) =>
    findings.filter((one) => one.verdict === verdict),
  );
  const passed = findings.filter(({ verdict }) => verdict === 'pass');
  return markup`<section aria-labelledby="expectations">
<h2 id="expectations">Expectations <span class="count">${findings.length}</span></h2>
${cards.map(findingCard)}${passed.length === 0 ? markup`` : passedTable(passed)}</section>
`;
}

const findingCard = ({ id, verdict, expected, because }: LoadFinding): Markup =>
  markup`<article class="finding ${verdict}" aria-labelledby="finding-${id}">
<h3 id="finding-${id}">${badge(verdict)} ${id}</h3>
<p class="sentence">${prose(expected)}</p>
<p>${prose(because)}</p>
</article>
`;

const passedTable = (passed: readonly LoadFinding[]): Markup => markup`<table class="register">
<thead><tr><th scope="col">Id</th><th scope="col">Verdict</th><th scope="col">Expectation and reason</th></tr></thead>
<tbody>
${passed.map(({ id, verdict, expected, because }) => markup`<tr><th scope="row"><code>${id}</code></th><td>${badge(verdict)}</td><td>${prose(expected)}<p class="quiet">${prose(because)}</p></td></tr>\n`)}</tbody>
</table>
`;

function guideSection(): Markup {
  return markup`<section aria-labelledby="guide">
<h2 id="guide">How to read this report</h2>
<dl class="meanings">
<dt>${badge('fail')}</dt><dd>The responses contradict the expectation, whichever conforming limiter the target uses.</dd>
<dt>${badge('inconclusive')}</dt><dd>No verdict on the target: the load generator missed its schedule, the run stopped early, or another client may have used the key. Run the profile again.</dd>
<dt>${badge('pass')}</dt><dd>Every planned request was sent, and the responses meet the expectation.</dd>
</dl>
<p>The verdict of the run is pass if every expectation passes, fail if one fails, and inconclusive otherwise. The verdicts are based on the samples in the same folder and on nothing else. Remaining is the value that the target advertises; where less of the day’s quota remains than of the minute’s, it describes the day.</p>
</section>
`;
}

function colophon({ suite, environment, startedAt, finishedAt, schemaVersion }: LoadRecord): Markup {
  const { k6, http, node, platform, cpus } = environment;
  return markup`<footer>
<p>${suite.name} ${suite.version}. k6 ${bounded(k6, FACT_LIMIT)}${http === undefined ? '' : ` over ${http}, as certify`}, Node ${node}, ${platform}, ${cpus} CPUs. Report schema ${schemaVersion}.</p>
<p>Started <time datetime="${startedAt}">${momentOf(startedAt)}</time>, finished <time datetime="${finishedAt}">${momentOf(finishedAt)}</time>.</p>
</footer>
`;
}
