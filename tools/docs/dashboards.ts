import { grafanaDashboard } from '../../load/watch/dashboard.ts';

/** The Grafana dashboard as a file to import: its path in the project and its text. */
export const dashboards = (): readonly (readonly [path: string, text: string])[] => [
  ['load/watch/grafana-dashboard.json', grafanaDashboard()],
];
