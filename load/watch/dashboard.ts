import type { Panel } from './panels.ts';
import { panels } from './panels.ts';

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
  targets: queries.map(({ expression, legend }, query) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + query),
    datasource: DATASOURCE,
    expr: expression,
    legendFormat: legend,
  })),
});
