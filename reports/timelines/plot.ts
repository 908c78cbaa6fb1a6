import { secondsText } from '../../kernel/basics/text.ts';
import type { ClientTimeline, TimelineRequest } from '../../kernel/findings/client.ts';
import type { Plot, PlotTable, RowPanel } from '../plots/model.ts';
import { lastMoment, timelineText } from './line.ts';

/** A timeline as a plot: the 429 responses with the waits that they announced, and the requests beneath them. */
export function timelinePlot(timeline: ClientTimeline, id: string): Plot {
  const { requests, scenario, repetition, description } = timeline;
  return {
    id,
    title: `${scenario}, repetition ${repetition}`,
    description: `${description} ${timelineText(timeline)}`,
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
  const arrivals = (some: readonly TimelineRequest[]) => some.map(({ arrivedAt }) => seconds(arrivedAt));
  return {
    kind: 'rows',
    label: 'What the service responded, and what the client sent',
    rows: [
      {
        name: '429',
        marks: [
          { kind: 'spans', name: 'announced wait', shade: 'plain', spans },
          {
            kind: 'points',
            name: '429 response',
            status: 'rate-limited',
            at: limited.map(({ at }) => seconds(at)),
          },
        ],
      },
      {
        name: 'requests',
        marks: [
          { kind: 'points', name: 'request', status: 'accepted', at: arrivals(inTime) },
          { kind: 'points', name: 'request before the end of a wait', status: 'failed', at: arrivals(early) },
        ],
      },
    ],
  };
}

const tableOf = (requests: readonly TimelineRequest[]): PlotTable => ({
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
