/** The statistics of a trend that the dashboard and the rules read from Prometheus, as k6 names them; k6 alone would write p(99) only. */
export const TREND_STATS = 'p(50),p(90),p(95),p(99),max';
