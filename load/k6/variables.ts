/**
 * The variables that every run of k6 has. k6 contacts no host but the target: no usage report, no download of
 * extensions. Go, and so k6, speaks HTTP/1.1 over TLS, too, as `certify` does; it would agree on HTTP/2.
 */
export const FIXED_VARIABLES = {
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
  GODEBUG: 'http2client=0',
} as const;

/** The statistics of a trend that the dashboard and the rules read from Prometheus, as k6 names them; k6 alone would write p(99) only. */
export const TREND_STATS = 'p(50),p(90),p(95),p(99),max';
