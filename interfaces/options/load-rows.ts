import type { RowOfTaker } from './row.ts';
import { takenBy } from './row.ts';

/** The profiles that use a fleet of keys. */
const FLEET = ['soak', 'spike', 'breakpoint', 'capacity', 'plans'] as const;

export const loadRows = takenBy('load', {
  fleetKeysEnv: {
    kind: 'variable',
    group: 'keys',
    sentence: 'variable with further keys of the plan, separated by spaces or commas',
    usual: 'PETSTORE_API_KEYS',
    file: ['targets.*.keys.fleet'],
    rivals: ['fleetKeysFile', 'keysFile'],
    profiles: FLEET,
  },
  fleetKeysFile: {
    kind: 'file',
    group: 'keys',
    sentence: 'file with further keys of the plan',
    rivals: ['fleetKeysEnv', 'keysFile'],
    profiles: FLEET,
  },
  keysFile: {
    kind: 'file',
    group: 'keys',
    sentence: 'file with all keys of the fleet, one on each line: KEY or KEY,PLAN',
    sentences: {
      'load manifest':
        'file with all keys of a fleet, one on each line: KEY or KEY,PLAN; it is read for their number and plans only',
    },
    takers: ['load', 'load manifest'],
    rivals: ['fleetKeysEnv', 'fleetKeysFile'],
    profiles: FLEET,
  },
  allowHost: {
    kind: 'list',
    takes: 'host',
    group: 'permission',
    sentence: 'confirm that you are authorized to load this host',
    first: ['load'],
    scope: 'target',
  },
  useFullDay: {
    kind: 'switch',
    group: 'permission',
    sentence: "allow the run to use a key's quota of a whole day",
    first: ['load'],
    file: ['load.useFullDay'],
  },
  repeat: {
    kind: 'number',
    takes: 'n',
    most: 500,
    unit: 'runs',
    group: 'sent',
    sentence: 'run the profile n times, as a set for "compare" (6 or more can gate)',
    first: ['load'],
  },
  against: {
    kind: 'text',
    takes: 'url',
    group: 'sent',
    sentence:
      'run the profile in turn against this second target with the same keys, and compare it with --target',
    first: ['load'],
  },
  minutes: {
    kind: 'number',
    takes: 'n',
    most: 999_999,
    unit: 'minutes',
    group: 'sent',
    sentence: 'duration of a soak, in windows of a minute',
    profiles: ['soak'],
  },
  rate: {
    kind: 'text',
    takes: 'n',
    group: 'sent',
    sentence: 'requests a second of a capacity run, of all keys',
    profiles: ['capacity'],
  },
  duration: {
    kind: 'text',
    takes: 'time',
    group: 'sent',
    sentence: 'duration of a capacity run, such as 90s or 5m',
    profiles: ['capacity'],
  },
  ramp: {
    kind: 'text',
    takes: 'time',
    group: 'sent',
    sentence: 'how long the rate of a capacity run rises from zero',
    profiles: ['capacity'],
  },
  creates: {
    kind: 'text',
    takes: 'percent',
    group: 'sent',
    sentence: 'share of creations in a capacity run, which stay on the target',
    profiles: ['capacity'],
  },
  arrivals: {
    kind: 'choice',
    takes: 'model',
    choices: ['even', 'poisson'],
    group: 'sent',
    sentence: 'arrivals of a capacity run',
    profiles: ['capacity'],
  },
  latencyMs: {
    kind: 'number',
    takes: 'n',
    most: 999_999,
    unit: 'milliseconds',
    group: 'result',
    sentence: 'fail if the 99th percentile latency exceeds n ms',
    file: ['load.latencyMs'],
  },
  thresholds: {
    kind: 'file',
    group: 'result',
    sentence: 'JSON file with thresholds of latency, errors and rate; fail if one is broken',
    first: ['load'],
    file: ['thresholds'],
    contents: 'thresholds',
  },
  dashboard: {
    kind: 'number',
    takes: 'port',
    most: 65_535,
    group: 'result',
    sentence: "show k6's dashboard on this port of 127.0.0.1 during the run",
  },
  k6Out: {
    kind: 'list',
    takes: 'output',
    group: 'result',
    sentence: 'additional output of k6, such as experimental-prometheus-rw; repeatable',
  },
  install: {
    kind: 'switch',
    group: 'other',
    sentence:
      'send nothing: print which k6 a run uses, and (without --dry-run) install the pinned one where none is found',
  },
  json: {
    kind: 'switch',
    group: 'other',
    sentence: 'print the preview, or which k6 is used, as JSON; requires --dry-run or --install',
    sentences: { serve: 'print one line of JSON, or the list as JSON' },
    takers: ['load', 'serve'],
  },
} as const satisfies Readonly<Record<string, RowOfTaker>>);
