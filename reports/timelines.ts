import { countOf, secondsText } from '../kernel/basics/text.ts';
import { greatest } from '../kernel/exchanges/collections.ts';
import type { ClientTimeline, TimelineRequest } from '../kernel/findings/client.ts';
import { partsOf } from '../kernel/findings/finding-text.ts';
import type { Finding, RunRecord } from '../kernel/findings/record.ts';
import { citationOf } from './outcome.ts';
import type { Plot, PointStatus, PointsMark, RowPanel } from './plots/model.ts';
import type { Figures } from './tables.ts';

/** Timelines that a finding shows itself; the rest are in `report.json`. */
const SHOWN = 3;

/**
 * The timelines of the starts whose exchanges a finding against a client cites, except for those that an earlier finding
 * with the same verdict cites and shows; none for a service.
 */
export function citedTimelines(record: RunRecord, { id, verdict }: Finding): readonly ClientTimeline[] {
  if (record.subject !== 'client') return [];
  const alike = record.requirements.filter((one) => one.verdict === verdict);
  const firstToCite = ({ requests }: ClientTimeline): Finding | undefined =>
    alike.find(({ exchanges }) => requests.some(({ n }) => exchanges.includes(n)));
  return record.timelines.filter((timeline) => firstToCite(timeline)?.id === id).slice(0, SHOWN);
}

/** What a report has to say of a finding, each text with its label: its parts, its fix, and on what it rests. */
export function textsOf(record: RunRecord, finding: Finding, fix: string | undefined): readonly Labelled[] {
  const cited = citationOf(finding.exchanges);
  return [
    ...partsOf(finding),
    ...(fix === undefined ? [] : [{ label: 'Fix', text: fix }]),
    ...(cited === '' ? [] : [{ label: 'Evidence', text: cited }]),
    ...citedTimelines(record, finding).map((one) => ({ label: 'Timeline', text: timelineText(one) })),
  ];
}

export interface Labelled {
  readonly label: string;
  readonly text: string;
}

/** Requests that a line names; the report shows all of them. */
const NAMED = 8;

export function timelineText({ scenario, repetition, requests, further, ending }: ClientTimeline): string {
  const named = requests.slice(0, NAMED).map(requestText);
  const rest = requests.length - named.length + further;
  const more = rest === 0 ? '' : `, and ${countOf(rest, 'further request')}`;
  return `\`${scenario}\` (repetition ${repetition}): ${named.join(', ')}${more}. The client ${ending}.`;
}

function requestText({ operation, arrivedAt, response, early }: TimelineRequest): string {
  const method = operation.split(' ')[0] ?? operation;
  const came = early === undefined ? '' : ` (${secondsText(early)} early)`;
  return `${method} at ${secondsText(arrivedAt)}${came} ${responseText(response)}`;
}

function responseText(response: TimelineRequest['response']): string {
  if (response === undefined) return 'without a response';
  const { at, status, waitUntil } = response;
  return waitUntil === undefined ? `→ ${status}` : `→ ${status}, wait ${secondsText(waitUntil - at)}`;
}

/** When the last thing happens on a timeline, or the last wait ends: milliseconds from its beginning. */
const lastMoment = (requests: readonly TimelineRequest[]): number =>
  greatest(
    requests.flatMap(({ arrivedAt, response }) => [arrivedAt, response?.at ?? 0, response?.waitUntil ?? 0]),
  );

/** A timeline as a plot: the 429 responses with the waits that they announced, and the requests beneath them. */
export function timelinePlot(timeline: ClientTimeline, id: string): Plot {
  const { requests, scenario, repetition, description } = timeline;
  return {
    id,
    title: `${scenario}, repetition ${repetition}`,
    description: `${description} ${timelineText(timeline).replaceAll('`', '')}`,
    from: 0,
    to: Math.max(0.1, seconds(lastMoment(requests))),
    panels: [panelOf(requests)],
    table: tableOf(requests),
  };
}

const seconds = (milliseconds: number): number => milliseconds / 1000;

function panelOf(requests: readonly TimelineRequest[]): RowPanel {
  const limited = requests.flatMap(({ response }) => (response?.status === 429 ? [response] : []));
  const spans = limited.flatMap(({ at, waitUntil }) =>
    waitUntil === undefined ? [] : [{ from: seconds(at), to: seconds(waitUntil) }],
  );
  const early = requests.filter((one) => one.early !== undefined);
  const inTime = requests.filter((one) => one.early === undefined);
  const marks = (name: string, status: PointStatus, moments: readonly number[]): PointsMark => ({
    kind: 'points',
    name,
    status,
    points: moments.map((at) => ({ x: seconds(at), y: 0 })),
  });
  const arrivals = (some: readonly TimelineRequest[]) => some.map(({ arrivedAt }) => arrivedAt);
  const limitedAt = limited.map(({ at }) => at);
  return {
    kind: 'rows',
    label: 'Responses, and requests of the client',
    rows: [
      {
        name: '429',
        marks: [
          { kind: 'spans', name: 'announced wait', shade: 'plain', spans },
          marks('429 response', 'rate-limited', limitedAt),
        ],
      },
      {
        name: 'requests',
        marks: [
          marks('request', 'accepted', arrivals(inTime)),
          marks('request before the end of a wait', 'failed', arrivals(early)),
        ],
      },
    ],
  };
}

const tableOf = (requests: readonly TimelineRequest[]): Figures => ({
  head: ['Exchange', 'Request', 'Arrived', 'Response', 'Announced wait', 'Too early by'],
  rows: requests.map(({ n, operation, arrivedAt, response, early }) => [
    String(n),
    operation,
    secondsText(arrivedAt),
    response === undefined ? 'none' : String(response.status),
    response?.waitUntil === undefined ? '' : secondsText(response.waitUntil - response.at),
    early === undefined ? '' : secondsText(early),
  ]),
});
