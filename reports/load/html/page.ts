import type { LoadFinding, LoadRecord } from '../../../load/model/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { bounded } from '../../foreign-text.ts';
import { countList, factList, htmlDocument, navigationList } from '../../html/document.ts';
import { badge, prose } from '../../html/prose.ts';
import { durationOf, momentOf } from '../../outcome.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { LOAD_SIGNS, loadCounts, loadSentence, nextStep, sentOf } from '../words.ts';
import { keysSection } from './keys.ts';
import { latencySection } from './latency.ts';
import { chartStyle } from './style.ts';
import { timelineSection } from './timeline.ts';

const FACT_LIMIT = 400;

/** `load-report.html`: what was planned, what happened, and what that amounts to; one file for a person, with its pictures. */
export function renderLoadHtml(record: LoadRecord, trace: Trace): string {
  return htmlDocument({
    title: `${LOAD_SIGNS[record.verdict].word}: load ${record.profile}`,
    further: chartStyle,
    body: markup`${masthead(record)}${navigation(record, trace)}<main id="main">
${findingsSection(record)}${keysSection(record)}${timelineSection(record, trace)}${latencySection(record, trace)}${guideSection()}</main>
${colophon(record)}`,
  });
}

function masthead(record: LoadRecord): Markup {
  const next = nextStep(record);
  const { perMinute, perDay, minuteSeconds } = record.limits;
  const facts: readonly (readonly [name: string, value: Markup])[] = [
    ['Target', markup`<code>${bounded(record.target.baseUrl, FACT_LIMIT)}</code>`],
    [
      'Plan',
      markup`${bounded(record.target.plan, FACT_LIMIT)}: ${perMinute} in ${minuteSeconds} s, ${perDay} in a day`,
    ],
    ['Began', markup`<time datetime="${record.startedAt}">${momentOf(record.startedAt)}</time>`],
    ['Took', markup`${durationOf(record)}`],
    ['Sent', markup`${sentOf(record)}`],
  ];
  return markup`<header class="masthead">
<p>${record.suite.name}</p>
<h1 class="outcome ${record.verdict}"><span aria-hidden="true">${LOAD_SIGNS[record.verdict].mark}</span> ${loadSentence(record)}</h1>
${next === undefined ? markup`` : markup`<p class="next">${next}</p>\n`}${factList(facts)}${countList(loadCounts(record))}</header>
`;
}

function navigation({ latencyMs }: LoadRecord, { samples }: Trace): Markup {
  const places: readonly (readonly [id: string, title: string, there: boolean])[] = [
    ['expectations', 'Expectations', true],
    ['keys', 'Planned and done', true],
    ['timeline', 'Timeline', samples.length > 0],
    ['latency', 'Latency', latencyMs !== null],
    ['guide', 'How to read this', true],
  ];
  return navigationList(places.filter(([, , there]) => there));
}

/** What needs a person in full, the rest as a table. */
function findingsSection({ findings }: LoadRecord): Markup {
  const cards = (['fail', 'inconclusive'] as const).flatMap((verdict) =>
    findings.filter((one) => one.verdict === verdict),
  );
  const kept = findings.filter(({ verdict }) => verdict === 'pass');
  return markup`<section aria-labelledby="expectations">
<h2 id="expectations">Expectations <span class="count">${findings.length}</span></h2>
${cards.map(findingCard)}${kept.length === 0 ? markup`` : keptTable(kept)}</section>
`;
}

const findingCard = ({ id, verdict, expects, because }: LoadFinding): Markup =>
  markup`<article class="finding ${verdict}" aria-labelledby="finding-${id}">
<h3 id="finding-${id}">${badge(verdict)} ${id}</h3>
<p class="sentence">${prose(expects)}</p>
<p>${prose(because)}</p>
</article>
`;

const keptTable = (kept: readonly LoadFinding[]): Markup => markup`<table class="register">
<thead><tr><th scope="col">Expectation</th><th scope="col">Verdict</th><th scope="col">Statement and reason</th></tr></thead>
<tbody>
${kept.map(({ id, verdict, expects, because }) => markup`<tr><th scope="row"><code>${id}</code></th><td>${badge(verdict)}</td><td>${prose(expects)}<p class="quiet">${prose(because)}</p></td></tr>\n`)}</tbody>
</table>
`;

function guideSection(): Markup {
  return markup`<section aria-labelledby="guide">
<h2 id="guide">How to read this report</h2>
<dl class="meanings">
<dt>${badge('fail')}</dt><dd>The answers contradict it, whatever lawful limiter the target has. Only this accuses the target.</dd>
<dt>${badge('inconclusive')}</dt><dd>Nothing is proven: this side missed its schedule or was cut short, or somebody else may have been the reason. Run it again.</dd>
<dt>${badge('pass')}</dt><dd>All that was planned was sent, and the answers agree.</dd>
</dl>
<p>The run passes when every expectation is kept, fails when one is violated, and is inconclusive otherwise. The verdicts rest on the samples of k6 in the same folder, and on nothing else. Remaining is what the target said of the limit that is in force; where a day has less left than a minute, that is the day’s.</p>
</section>
`;
}

function colophon({ suite, environment, startedAt, finishedAt, schemaVersion }: LoadRecord): Markup {
  const { k6, node, platform, cpus } = environment;
  return markup`<footer>
<p>${suite.name} ${suite.version}. k6 ${bounded(k6, FACT_LIMIT)}, Node ${node}, ${platform}, ${cpus} CPUs. Report schema ${schemaVersion}.</p>
<p>Started <time datetime="${startedAt}">${momentOf(startedAt)}</time>, finished <time datetime="${finishedAt}">${momentOf(finishedAt)}</time>.</p>
</footer>
`;
}
