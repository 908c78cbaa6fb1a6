import type { Row } from './row.ts';

/** What only `serve` takes. */
export const serveRows = {
  list: {
    kind: 'choice',
    takes: 'what',
    choices: ['faults', 'variants'],
    group: 'other',
    sentence: 'start nothing, and list the faults or the conforming variants',
    takers: ['serve'],
  },
  port: {
    kind: 'number',
    takes: 'n',
    least: 0,
    most: 65_535,
    group: 'other',
    sentence: 'port to listen on; 0 takes any free port (default: 0)',
    takers: ['serve'],
  },
  host: {
    kind: 'text',
    takes: 'address',
    group: 'other',
    sentence: 'address to listen on',
    takers: ['serve'],
    preset: '127.0.0.1',
  },
  ban: {
    kind: 'text',
    takes: 'n:seconds',
    group: 'other',
    sentence: 'ban a key for SECONDS after it sent N further requests after a 429 response',
    takers: ['serve'],
  },
} as const satisfies Readonly<Record<string, Row>>;

/** What only `load manifest` takes. */
export const manifestRows = {
  headerSecret: {
    kind: 'list',
    takes: 'name=secret/entry',
    group: 'target',
    sentence: 'a header whose value is in a Secret; repeatable',
    takers: ['load manifest'],
  },
  keys: {
    kind: 'text',
    takes: 'list',
    group: 'keys',
    sentence:
      'the Secrets of the keys (key, other, disposable), separated by commas: NAME=SECRET or NAME=SECRET/ENTRY',
    takers: ['load manifest'],
  },
  keysSecret: {
    kind: 'text',
    takes: 'secret',
    group: 'keys',
    sentence: 'the Secret that holds the same file: SECRET or SECRET/ENTRY',
    takers: ['load manifest'],
  },
  parallelism: {
    kind: 'number',
    takes: 'n',
    most: 9999,
    unit: 'runners',
    group: 'sent',
    sentence: 'how many runners share the keys (default: 1)',
    takers: ['load manifest'],
  },
  samplesClaim: {
    kind: 'text',
    takes: 'name',
    group: 'result',
    sentence: 'volume claim for the samples, to which all runners can write',
    takers: ['load manifest'],
  },
  samplesS3: {
    kind: 'text',
    takes: 'bucket/prefix',
    group: 'result',
    sentence: 'storage for the samples that speaks S3',
    takers: ['load manifest'],
  },
  samplesS3Secret: {
    kind: 'text',
    takes: 'name',
    group: 'result',
    sentence: 'the Secret with its settings, as variables of rclone (RCLONE_S3_…)',
    takers: ['load manifest'],
  },
  prometheus: {
    kind: 'text',
    takes: 'url',
    group: 'result',
    sentence: 'remote-write address for the results',
    takers: ['load manifest'],
  },
  namespace: {
    kind: 'text',
    takes: 'name',
    group: 'other',
    sentence: 'namespace of all manifests',
    takers: ['load manifest'],
  },
} as const satisfies Readonly<Record<string, Row>>;
