import { COMMAND, countOf, groupedNumber } from '../../../kernel/basics/text.ts';
import { ownFixOf } from '../../../kernel/findings/finding.ts';
import { partsOf } from '../../../kernel/findings/finding-text.ts';
import type { RecordedFile, RecordedFiles } from '../../../kernel/findings/load.ts';
import type { Finding, LoadRecord } from '../../../kernel/findings/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { isThreshold } from '../../../spec/register.ts';
import { aboutRun, remarksSection, reportPage } from '../../html/document.ts';
import { fixText, partList } from '../../html/finding.ts';
import type { Fact } from '../../html/prose.ts';
import { ADDRESS_LIMIT, badge, code, FACT_LIMIT, prose } from '../../html/prose.ts';
import { momentOf, worstFirst } from '../../outcome.ts';
import { figureTable } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { bounded, markup } from '../../written.ts';
import { readingsOf } from '../plots/panels.ts';
import {
  cellsOf,
  idsText,
  keyNamesText,
  latencyText,
  namesOf,
  nextStep,
  PHASE_COLUMNS,
  sentText,
  totalOfKeys,
} from '../texts.ts';
import { keysTable } from './keys.ts';
import { latencyCurves, overTime } from './over-time.ts';

/** `report.html` of a load run: the verdict, the figures, the charts, then the expectations, in one file for a person. */
export function renderLoadHtml(record: LoadRecord, trace: Trace): string {
  const { profile, target, startedAt, requirements } = record;
  const { timeline, byKey } = overTime(record, trace);
  const next = nextStep(record);
  const failed = requirements.filter(({ verdict }) => verdict === 'fail').slice(0, MOST_FAILED);
  return reportPage(record, {
    title: `${record.outcome}: load ${profile}`,
    kind: `Load report: Pet Store Service, profile ${profile}`,
    further: markup`${failed.map((finding) => markup`<p class="decisive"><strong>${finding.id}</strong> ${prose(factsOf(finding))}</p>\n`)}${next === undefined ? markup`` : markup`<p>${next}</p>\n`}<p class="subject">${code(target.baseUrl, ADDRESS_LIMIT)}, plan ${bounded(target.plan, ADDRESS_LIMIT)}. ${sentText(record)}, ${momentOf(startedAt)}.</p>
${tiles(record, trace)}`,
    sections: [
      { id: 'timeline', title: 'Over time', content: timeline, classes: 'timeline' },
      { id: 'by-key', title: 'Key by key', content: byKey, classes: 'more' },
      { id: 'phases', title: 'Phases', content: phasesTable(record), classes: 'phases' },
      { id: 'latency', title: 'Latency', content: latencyCurves(record, trace), classes: 'more' },
      {
        id: 'expectations',
        title: 'Expectations',
        count: requirements.length,
        content: expectationCards(record),
        classes: 'findings',
      },
      { id: 'unjudged', title: 'Not judged', content: unjudgedList(record) },
      remarksSection(record),
      { id: 'keys', title: 'Requests', content: keysTable(record), classes: 'more' },
      { id: 'guide', title: 'How to read this', content: GUIDE, classes: 'more' },
      { id: 'about', title: 'About this run', content: aboutLoadRun(record) },
    ],
  });
}

/** Failed expectations above the charts; on paper they stand in their own place alone. */
const MOST_FAILED = 3;

/** What was expected and what was received, which no chart shows. */
const factsOf = (finding: Finding): string =>
  partsOf(finding)
    .slice(0, 2)
    .map(({ label, text }) => `${label}: ${text}`)
    .join(' ');

/** Every expectation, once: what was expected and what was received, a failed one first. */
function expectationCards({ requirements }: LoadRecord): Markup {
  return markup`<p class="quiet">How an expectation is judged: <code>${COMMAND} explain ID</code>.</p>
<div class="cards">
${worstFirst(requirements).map(findingCard)}</div>
`;
}

const NO_EVIDENCE = new Map();

const findingCard = (finding: Finding): Markup =>
  markup`<article class="finding ${finding.verdict}" aria-labelledby="finding-${finding.id}">
<h3 id="finding-${finding.id}">${badge(finding.verdict)} ${finding.id} <span class="sentence">${prose(finding.sentence)}</span></h3>
${partList(partsOf(finding), NO_EVIDENCE)}${fixText(ownFixOf(finding), NO_EVIDENCE)}</article>
`;

const CELL_LIMIT = 200;

/** The phases of a profile that compares them: its steps, its burst, or its tenths. */
function phasesTable({ phases = [] }: LoadRecord): Markup | undefined {
  if (phases.length === 0) return undefined;
  const rows = phases.map((phase) => cellsOf(PHASE_COLUMNS, phase).map((cell) => bounded(cell, CELL_LIMIT)));
  return markup`${figureTable('The phases', namesOf(PHASE_COLUMNS), rows)}<p class="quiet">Requests that were due and 2xx responses in a second, of all keys. Latency from the intended send time, where one was planned. Errors are 5xx and requests without a response.</p>
`;
}

const GUIDE = markup`<dl class="meanings">
<dt>${badge('fail')}</dt><dd>The responses contradict the expectation, whichever conforming limiter the target uses.</dd>
<dt>${badge('inconclusive')}</dt><dd>No verdict on the target: the load generator missed its schedule, the run stopped early, or another client may have used the key. Run the profile again.</dd>
<dt>${badge('pass')}</dt><dd>Every planned request was sent, and the responses meet the expectation.</dd>
</dl>
<p>The target conforms in this profile if every expectation passes, violates it if one fails, and the run is incomplete otherwise. The verdicts are based on the samples in the same folder and on nothing else. Remaining is the value that the target advertises; where less of the day’s quota remains than of the minute’s, it describes the day.</p>
`;

const REASON_LIMIT = 160;

/** What the verdict of a load run says nothing about, and why. */
function unjudgedList(record: LoadRecord): Markup {
  const items = [...undecided(record), ...unrecorded(record), ...withoutThreshold(record), ...OTHERS];
  return markup`<ul>
${items.map(([what, why]) => markup`<li><strong>${what}:</strong> ${prose(why)}</li>\n`)}</ul>
`;
}

type Unjudged = readonly [what: string, why: string];

function undecided({ requirements }: LoadRecord): readonly Unjudged[] {
  const open = requirements.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length === 0) return [];
  return [[idsText(open), 'inconclusive; the expectations above state the reasons.']];
}

function unrecorded(record: LoadRecord): readonly Unjudged[] {
  const { planned, sent } = totalOfKeys(record);
  if (sent >= planned) return [];
  const what = `${planned - sent} of ${countOf(planned, 'planned request')}`;
  return [[what, `not recorded as sent. ${bounded(record.ended.because, REASON_LIMIT)}`]];
}

function withoutThreshold({ requirements }: LoadRecord): readonly Unjudged[] {
  if (requirements.some(({ id }) => isThreshold(id))) return [];
  return [
    [
      'How fast responses must be',
      'the specification does not state it, and no threshold was set (`--thresholds`). Latencies are judged only where an expectation compares them with each other.',
    ],
  ];
}

const OTHERS: readonly Unjudged[] = [
  [
    'Everything else',
    'other profiles judge more of the behaviour under load, and `certify` judges the requirements of the specification one by one.',
  ],
];

/** What a load run tested, what sent the requests, and by what the verdicts can be reached again. */
function aboutLoadRun(record: LoadRecord): Markup {
  const { environment, recorded, target, limits } = record;
  const { k6, http, node, platform, cpus } = environment;
  return aboutRun(record, {
    facts: [
      ['Target', code(target.baseUrl, ADDRESS_LIMIT)],
      [
        'Plan',
        markup`${bounded(target.plan, FACT_LIMIT)}: ${groupedNumber(limits.perMinute)} requests in ${limits.minuteSeconds} s, ${groupedNumber(limits.perDay)} a day`,
      ],
      ['Keys, by name', markup`${bounded(keyNamesText(record), FACT_LIMIT)}`],
    ],
    further: [
      ['Ended', markup`${bounded(record.ended.because, FACT_LIMIT)}`],
      [
        'Sent by',
        markup`k6 ${bounded(k6, FACT_LIMIT)}${http === undefined ? '' : ` over ${http}`}, Node ${node}, ${platform}, ${cpus} CPUs`,
      ],
    ],
    recorded: recorded === undefined ? [] : recordedFacts(recorded),
    again: markup`The verdicts rest on the recorded samples alone: <code>${COMMAND} judge FOLDER</code> of this version reaches them again, offline.`,
  });
}

/** The digests of many runners are in the report for programs alone. */
function recordedFacts({ run, samples }: RecordedFiles): readonly Fact[] {
  const [only, ...others] = samples;
  return [
    ['Run', fileText(run)],
    [
      'Samples',
      only !== undefined && others.length === 0
        ? fileText(only)
        : markup`${samples.length} files; <code>report.json</code> has the digest of each`,
    ],
  ];
}

const fileText = ({ name, digest }: RecordedFile) =>
  markup`${bounded(name, FACT_LIMIT)}, <code>${digest}</code>`;

function tiles(record: LoadRecord, trace: Trace): Markup {
  const { sent, accepted, rateLimited, failed } = totalOfKeys(record);
  const { latencyMs } = record;
  const { seconds } = readingsOf(trace);
  return markup`<dl class="tiles">
${[
  tile('p50', latencyText(latencyMs?.p50)),
  // The last twentieth, which earlier reports do not have.
  tile('p95', latencyText(latencyMs?.twentieths?.at(-1))),
  tile('p99', latencyText(latencyMs?.p99)),
  tile('requests/s', seconds > 0 ? rateText(sent / seconds) : '–'),
  tile('accepted', groupedNumber(accepted)),
  tile('rate-limited', groupedNumber(rateLimited), rateLimited > 0 ? 'warn' : undefined),
  tile('errors', groupedNumber(failed), failed > 0 ? 'fail' : undefined),
]}</dl>
`;
}

const tile = (name: string, value: string, tone = 'plain'): Markup =>
  markup`<div class="${tone}"><dt>${name}</dt><dd>${value}</dd></div>\n`;

const rateText = (perSecond: number): string =>
  perSecond >= 100 ? groupedNumber(Math.round(perSecond)) : String(Number(perSecond.toPrecision(3)));
