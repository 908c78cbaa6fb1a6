import { groupedNumber } from '../../../kernel/basics/text.ts';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { readingsOf } from '../plots/readings.ts';
import { millisecondsText, totalOfKeys } from '../texts.ts';

/** The figures of a run that a person looks for first. */
export function tiles(record: LoadRecord, trace: Trace): Markup {
  const { sent, accepted, rateLimited, failed } = totalOfKeys(record);
  const { p50, p95, p99 } = latencies(record);
  const { seconds } = readingsOf(trace);
  return markup`<dl class="tiles">
${[
  tile('p50', latencyText(p50)),
  tile('p95', latencyText(p95)),
  tile('p99', latencyText(p99)),
  tile('requests/s', seconds > 0 ? rateText(sent / seconds) : '–'),
  tile('accepted', groupedNumber(accepted)),
  tile('rate-limited', groupedNumber(rateLimited), rateLimited > 0 ? 'warn' : undefined),
  tile('errors', groupedNumber(failed), failed > 0 ? 'fail' : undefined),
]}</dl>
`;
}

const tile = (name: string, value: string, tone = 'plain'): Markup =>
  markup`<div class="${tone}"><dt>${name}</dt><dd>${value}</dd></div>\n`;

/** The percentiles of a run; p95 is the last twentieth, which earlier reports do not have. */
const latencies = ({ latencyMs }: LoadRecord): Readonly<Partial<Record<'p50' | 'p95' | 'p99', number>>> =>
  latencyMs === null
    ? {}
    : {
        ...latencyMs,
        ...(latencyMs.twentieths === undefined ? {} : { p95: latencyMs.twentieths.at(-1) ?? Number.NaN }),
      };

const latencyText = (value: number | undefined): string =>
  value === undefined ? '–' : millisecondsText(value);

const rateText = (perSecond: number): string =>
  perSecond >= 100 ? groupedNumber(Math.round(perSecond)) : String(Number(perSecond.toPrecision(3)));
