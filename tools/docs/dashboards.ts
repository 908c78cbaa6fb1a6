import { grafanaDashboard } from '../../load/watch/dashboard.ts';

/** The dashboard as people import it, by its path in the project. */
export const dashboards = (): readonly (readonly [path: string, text: string])[] => [
  ['load/watch/grafana-dashboard.json', grafanaDashboard()],
];
