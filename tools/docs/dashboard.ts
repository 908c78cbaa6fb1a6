/** One panel of the dashboard. `$profile` and `$key` are the dashboard's variables. */
interface Panel {
  readonly title: string;
  /** What to look for, for the person on call. */
  readonly description: string;
  /** By its legend, PromQL over what `load --k6-out experimental-prometheus-rw` writes; it sets the statistics (`TREND_STATS`). */
  readonly queries: Readonly<Record<string, string>>;
  /** The unit, by its name in Grafana. */
  readonly unit: 'short' | 's' | 'reqps' | 'percentunit';
}

const CHOSEN = '{profile=~"$profile",key=~"$key"}';
const within = (labels: string): string => `{profile=~"$profile",key=~"$key",${labels}}`;

const ACCEPTED = within('status=~"2.."');

const percentile = (metric: string, which: string): string => `max by (key) (${metric}_${which}${CHOSEN})`;

/** The panels from top to bottom: first the target, then what clients experience, then the load generator. */
export const panels: readonly Panel[] = [
  {
    title: 'Responses by status',
    description: '2xx is accepted, 429 is rate-limited, 0 is a request without a response.',
    queries: {
      '{{key}} {{status}}': `sum by (key, status) (rate(k6_http_reqs_total${CHOSEN}[$__rate_interval]))`,
    },
    unit: 'reqps',
  },
  {
    title: 'Accepted in the last minute',
    description: 'Compare with the limit of the plan: no conforming limiter accepts more than twice as many.',
    queries: {
      // increase() ignores a counter's first value, which may contain a whole burst.
      '{{key}}': `sum by (key) (k6_http_reqs_total${ACCEPTED}) - (sum by (key) (k6_http_reqs_total${ACCEPTED} offset 1m) or 0 * sum by (key) (k6_http_reqs_total${ACCEPTED}))`,
    },
    unit: 'short',
  },
  {
    title: 'Remaining',
    description:
      'The remaining quota as the target advertises it: decreases with every request, increases when a window ends or a bucket refills.',
    queries: {
      '{{key}}': `min by (key) (k6_petstore_remaining${CHOSEN})`,
    },
    unit: 'short',
  },
  {
    title: 'Seconds until Reset',
    description: 'Expected between zero and the length of the window; well below zero, Reset is in the past.',
    queries: {
      '{{key}}': `max by (key) (k6_petstore_reset${CHOSEN}) - time()`,
    },
    unit: 's',
  },
  {
    title: 'Latency from the intended send time',
    description: 'The time a client waits, including schedule delay (no coordinated omission).',
    queries: Object.fromEntries(
      ['p50', 'p90', 'p95', 'p99', 'max'].map((which) => [
        `{{key}} ${which}`,
        percentile('k6_petstore_request', which),
      ]),
    ),
    unit: 's',
  },
  {
    title: 'Accepted per second',
    description: 'Of all keys together, for a threshold of the rate and for breakpoint: the rate that holds.',
    queries: {
      accepted: `sum(rate(k6_http_reqs_total${ACCEPTED}[$__rate_interval]))`,
      sent: `sum(rate(k6_http_reqs_total${CHOSEN}[$__rate_interval]))`,
    },
    unit: 'reqps',
  },
  {
    title: 'Share of errors',
    description: 'Requests with a 5xx or without a response, of all; for a threshold of the error rate.',
    queries: {
      errors: `(sum(k6_http_reqs_total${within('status=~"0|5.."')}) or 0 * sum(k6_http_reqs_total${CHOSEN})) / sum(k6_http_reqs_total${CHOSEN})`,
    },
    unit: 'percentunit',
  },
  {
    title: 'Growth of latency',
    description:
      'The median now against five minutes ago, as a factor. soak expects about one; spike expects one again after the burst.',
    queries: {
      '{{key}}': `max by (key) (k6_petstore_request_p50${CHOSEN}) / (max by (key) (k6_petstore_request_p50${CHOSEN} offset 5m) or max by (key) (k6_petstore_request_p50${CHOSEN}))`,
    },
    unit: 'short',
  },
  {
    title: 'Share of 429',
    description:
      'Expected to be zero in under, at-limit, soak, spike and breakpoint, and in smoke unless the key was in use.',
    queries: {
      '{{key}}': `(sum by (key) (k6_http_reqs_total${within('status="429"')}) or 0 * sum by (key) (k6_http_reqs_total${CHOSEN})) / sum by (key) (k6_http_reqs_total${CHOSEN})`,
    },
    unit: 'percentunit',
  },
  {
    title: 'Server errors and missing responses',
    description: '5xx, and requests without a response. Investigate any value above zero.',
    queries: {
      '{{key}}': `sum by (key) (k6_http_reqs_total${within('status=~"0|5.."')}) or 0 * sum by (key) (k6_http_reqs_total${CHOSEN})`,
    },
    unit: 'short',
  },
  {
    title: 'Scenario events',
    description: 'Waits are planned. Where a scenario stopped, the report of the run says why.',
    queries: {
      '{{key}} {{kind}}': `sum by (key, kind) (k6_petstore_event_total${CHOSEN})`,
    },
    unit: 'short',
  },
  {
    title: 'Time to first byte and connection time',
    description: 'Where the latency comes from: waiting for the first byte, or opening a connection.',
    queries: {
      '{{key}} first byte p99': percentile('k6_http_req_waiting', 'p99'),
      '{{key}} connecting p99': percentile('k6_http_req_connecting', 'p99'),
    },
    unit: 's',
  },
];

const WIDTH = 12;
const HEIGHT = 8;
const DATASOURCE = { type: 'prometheus', uid: '$datasource' } as const;

/** The dashboard as JSON for the import into Grafana: two panels in a row; data source, profile and key are variables. */
export function grafanaDashboard(): string {
  return `${JSON.stringify(
    {
      title: 'Pet Store Service: load',
      uid: 'petstore-load',
      description: 'The load profiles of petstore-conformance, and the responses of their target.',
      tags: ['petstore', 'k6'],
      schemaVersion: 39,
      version: 1,
      editable: true,
      refresh: '5s',
      time: { from: 'now-15m', to: 'now' },
      templating: { list: [datasource, variable('profile'), variable('key')] },
      panels: panels.map(panel),
    },
    null,
    2,
  )}\n`;
}

const datasource = {
  name: 'datasource',
  label: 'Prometheus',
  type: 'datasource',
  query: 'prometheus',
} as const;

const variable = (label: 'profile' | 'key') => ({
  name: label,
  label,
  type: 'query',
  datasource: DATASOURCE,
  query: { query: `label_values(k6_petstore_request_p99, ${label})`, refId: label },
  multi: true,
  includeAll: true,
  // Other k6 scripts that write to the same Prometheus have neither label.
  allValue: '.+',
  current: { text: 'All', value: '$__all' },
  refresh: 2,
});

const panel = ({ title, description, queries, unit }: Panel, at: number) => ({
  id: at + 1,
  title,
  description,
  type: 'timeseries',
  datasource: DATASOURCE,
  gridPos: { x: (at % 2) * WIDTH, y: Math.floor(at / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: unit === 's' ? undefined : 0 }, overrides: [] },
  options: { legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] } },
  targets: Object.entries(queries).map(([legend, expression], query) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + query),
    datasource: DATASOURCE,
    expr: expression,
    legendFormat: legend,
  })),
});
