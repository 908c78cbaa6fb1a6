import { countOf, groupedNumber } from '../../../kernel/basics/text.ts';
import type { RecordedFile, RecordedFiles } from '../../../kernel/findings/load.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import type { Fact, Section } from '../../html/document.ts';
import { FACT_LIMIT } from '../../html/prose.ts';
import { figureTable } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { bounded, markup } from '../../written.ts';
import type { RunReadings } from '../plots/panels.ts';
import { readingsOf } from '../plots/panels.ts';
import { keyNamesText, latencyText, nextStep, phaseFigures, rateText, totalOfKeys } from '../texts.ts';
import { keysTable } from './keys.ts';
import { latencyCurves, overTime } from './over-time.ts';

/** What `report.html` has of a load run besides that of every run. */
export function loadParts(
  record: LoadRecord,
  trace: Trace,
): { readonly head: Markup; readonly sections: readonly Section[]; readonly facts: readonly Fact[] } {
  const run = readingsOf(trace);
  const { timeline, byKey } = overTime(record, trace, run);
  const next = nextStep(record);
  return {
    /** Right behind the result: what to do next, and the figures that a reader wants first. */
    head: markup`${next && markup`<p>${next}</p>\n`}${tiles(record, run)}`,
    sections: [
      { id: 'timeline', title: 'Over time', content: timeline, classes: 'timeline' },
      { id: 'by-key', title: 'Key by key', content: byKey, classes: 'more' },
      { id: 'phases', title: 'Phases', content: phasesTable(record), classes: 'phases' },
      { id: 'latency', title: 'Latency', content: latencyCurves(record, trace), classes: 'more' },
      { id: 'keys', title: 'Requests', content: keysTable(record), classes: 'more' },
    ],
    facts: factsOf(record),
  };
}

/** The phases of a profile that compares them: its steps, its burst, or its tenths. */
function phasesTable({ phases = [] }: LoadRecord): Markup | undefined {
  if (phases.length === 0) return undefined;
  return markup`${figureTable('The phases', phaseFigures(phases))}<p class="quiet">Requests that were due and 2xx responses in a second, of all keys. Latency from the intended send time, where one was planned. Errors are 5xx and requests without a response.</p>
`;
}

/** What sent the requests, and by what the verdicts can be reached again. */
function factsOf(record: LoadRecord): readonly Fact[] {
  const { environment, recorded, limits, ended } = record;
  const { k6, http, node, platform, cpus } = environment;
  return [
    [
      'Limits',
      markup`${groupedNumber(limits.perMinute)} requests in ${limits.minuteSeconds} s, ${groupedNumber(limits.perDay)} a day`,
    ],
    ['Keys, by name', markup`${bounded(keyNamesText(record), FACT_LIMIT)}`],
    ['Ended', markup`${bounded(ended.because, FACT_LIMIT)}`],
    [
      'Sent by',
      markup`k6 ${bounded(k6, FACT_LIMIT)}${http === undefined ? '' : ` over ${http}`}, Node ${node}, ${platform}, ${cpus} CPUs`,
    ],
    ...(recorded === undefined ? [] : recordedFacts(recorded)),
  ];
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
        : markup`${countOf(samples.length, 'file')}; <code>report.json</code> has the digest of each`,
    ],
  ];
}

const fileText = ({ name, digest }: RecordedFile) =>
  markup`${bounded(name, FACT_LIMIT)}, <code>${digest}</code>`;

function tiles(record: LoadRecord, { seconds }: RunReadings): Markup {
  const { sent, accepted, rateLimited, failed } = totalOfKeys(record);
  const { latencyMs } = record;
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
