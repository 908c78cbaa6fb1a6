/** One panel of the dashboard. `$profile` and `$key` are the dashboard's variables. */
export interface Panel {
  readonly title: string;
  /** What to look for, for whoever is on call. */
  readonly says: string;
  /** PromQL over what k6 writes by remote write with `K6_PROMETHEUS_RW_TREND_STATS=p(50),p(90),p(99),max`. */
  readonly queries: readonly { readonly expression: string; readonly legend: string }[];
  /** Grafana's name of the unit. */
  readonly unit: 'short' | 's' | 'reqps' | 'percentunit';
}

const CHOSEN = '{profile=~"$profile",key=~"$key"}';
const within = (labels: string): string => `{profile=~"$profile",key=~"$key",${labels}}`;

const ACCEPTED = within('status=~"2.."');

const percentile = (metric: string, which: string): string => `max by (key) (${metric}_${which}${CHOSEN})`;

/** The dashboard from top to bottom: first what the target did, then what the client saw, then the client itself. */
export const panels: readonly Panel[] = [
  {
    title: 'Answers by status',
    says: 'Green is accepted, 429 is the limit at work; 0 is a request without any answer.',
    queries: [
      {
        expression: `sum by (key, status) (rate(k6_http_reqs_total${CHOSEN}[$__rate_interval]))`,
        legend: '{{key}} {{status}}',
      },
    ],
    unit: 'reqps',
  },
  {
    title: 'Accepted in the last minute',
    says: "Beside the plan's number: no lawful limiter accepts twice as many.",
    queries: [
      {
        // increase() knows nothing of a counter's first value, and a burst may be all of it.
        expression: `sum by (key) (k6_http_reqs_total${ACCEPTED}) - (sum by (key) (k6_http_reqs_total${ACCEPTED} offset 1m) or 0 * sum by (key) (k6_http_reqs_total${ACCEPTED}))`,
        legend: '{{key}}',
      },
    ],
    unit: 'short',
  },
  {
    title: 'Remaining',
    says: 'What the target says is left. It falls with every request, and rises when something flows back.',
    queries: [{ expression: `min by (key) (k6_petstore_remaining${CHOSEN})`, legend: '{{key}}' }],
    unit: 'short',
  },
  {
    title: 'Seconds until Reset',
    says: 'Never far below zero, and never beyond the window that Limit describes.',
    queries: [{ expression: `max by (key) (k6_petstore_reset${CHOSEN}) - time()`, legend: '{{key}}' }],
    unit: 's',
  },
  {
    title: 'Latency from the intended send time',
    says: 'What a client waits, a late start included: no coordinated omission.',
    queries: ['p50', 'p90', 'p99', 'max'].map((which) => ({
      expression: percentile('k6_petstore_request', which),
      legend: `{{key}} ${which}`,
    })),
    unit: 's',
  },
  {
    title: 'Share of 429',
    says: 'Zero in smoke, under, at-limit, soak, spike and breakpoint; anything else there is a finding.',
    queries: [
      {
        expression: `(sum by (key) (k6_http_reqs_total${within('status="429"')}) or 0 * sum by (key) (k6_http_reqs_total${CHOSEN})) / sum by (key) (k6_http_reqs_total${CHOSEN})`,
        legend: '{{key}}',
      },
    ],
    unit: 'percentunit',
  },
  {
    title: 'Answers that no service owes',
    says: '5xx, and requests without any answer. Zero, or somebody should look.',
    queries: [
      {
        expression: `sum by (key) (k6_http_reqs_total${within('status=~"0|5.."')}) or 0 * sum by (key) (k6_http_reqs_total${CHOSEN})`,
        legend: '{{key}}',
      },
    ],
    unit: 'short',
  },
  {
    title: 'What the lanes did',
    says: 'Waits are meant; a lane that stopped says why in the report of its run.',
    queries: [
      { expression: `sum by (key, kind) (k6_petstore_event_total${CHOSEN})`, legend: '{{key}} {{kind}}' },
    ],
    unit: 'short',
  },
  {
    title: 'Time on the wire',
    says: 'Where the time goes: until the first byte, and for a new connection.',
    queries: [
      { expression: percentile('k6_http_req_waiting', 'p99'), legend: '{{key}} first byte p99' },
      { expression: percentile('k6_http_req_connecting', 'p99'), legend: '{{key}} connecting p99' },
    ],
    unit: 's',
  },
];
