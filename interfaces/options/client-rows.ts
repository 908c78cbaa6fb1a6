import type { Row, RowOfTaker } from './row.ts';
import { takenBy } from './row.ts';

/** How a client is started, or attached, and where its service listens. */
export const clientRows = takenBy('certify-client', {
  command: {
    kind: 'words',
    group: 'client',
    sentence: 'program of the client and its arguments, started in the current folder',
    file: ['certify-client.command'],
    rivals: ['serve', 'template'],
  },
  template: {
    kind: 'choice',
    takes: 'language',
    choices: ['node', 'python', 'go', 'java', 'sh'],
    group: 'client',
    sentence: 'print a client that conforms, to start from',
    first: ['certify-client'],
  },
  serve: {
    kind: 'switch',
    group: 'client',
    sentence: 'start no client: wait for one that you attach, until Ctrl-C',
    first: ['certify-client'],
  },
  jobs: {
    kind: 'number',
    takes: 'n',
    most: 64,
    group: 'client',
    sentence: 'how many clients run at a time (default: 4 for each core)',
    first: ['certify-client'],
    file: ['certify-client.jobs'],
    rivals: ['serve'],
  },
  seconds: {
    kind: 'number',
    takes: 'n',
    most: 3600,
    group: 'client',
    sentence: 'end the run after n seconds; what was not tested by then is inconclusive',
    file: ['certify-client.seconds'],
    rivals: ['serve'],
  },
  remote: {
    kind: 'switch',
    group: 'client',
    sentence: 'the client runs on another host, whose clock and network get an allowance',
    takers: ['certify-client', 'watch'],
  },
  listen: {
    kind: 'text',
    takes: 'host[:port]',
    group: 'client',
    sentence: 'address to listen at (default: 127.0.0.1, and every address with --remote)',
    takers: ['certify-client', 'watch'],
  },
} as const satisfies Readonly<Record<string, RowOfTaker>>);

/** Where a result goes and how it is judged; the bundled server; what every command has. */
export const resultRows = {
  strict: {
    kind: 'switch',
    group: 'result',
    sentence: 'count every warning as a violation',
    takers: ['certify', 'certify-client', 'judge', 'watch', 'playwright', 'library'],
    file: ['certify.strict', 'certify-client.strict'],
  },
  baseline: {
    kind: 'file',
    group: 'result',
    sentence:
      'known violations, each with reason, owner and expiry: exit 0 if nothing else fails; unknown, expired and stale entries end with 1',
    takers: ['certify', 'judge', 'playwright', 'library'],
    first: ['certify'],
    file: ['targets.*.baseline'],
  },
  baselineWrite: {
    kind: 'file',
    group: 'result',
    sentence:
      'write the violations of this run as a baseline; entries of an existing file keep their reason, owner and expiry',
    takers: ['certify', 'judge', 'playwright', 'library'],
    file: ['targets.*.baselineWrite'],
  },
  out: {
    kind: 'folder',
    group: 'result',
    sentence:
      'folder for the journal and the reports; files of an earlier run are moved (default: out/TIME-TAG)',
    sentences: {
      'certify-client': 'folder for the journal and the reports (default: out/TIME-client)',
      load: 'folder for the samples and the reports (default: out/TIME-load-TAG)',
      'load manifest': 'folder for the manifests and for the file that "judge" needs',
      judge: 'folder for the reports; other reports there are moved (default: the folder of the run)',
      watch: 'folder for the journal and the reports (default: out/TIME-watch)',
      playwright: 'folder for the journal and the reports (default: out/playwright)',
    },
    takers: ['certify', 'certify-client', 'load', 'load manifest', 'judge', 'watch', 'playwright'],
    first: ['certify', 'load', 'certify-client'],
    requiredBy: ['load manifest'],
    file: ['certify.out', 'certify-client.out', 'load.out'],
  },
  format: {
    kind: 'choice',
    takes: 'format',
    choices: ['console', 'json', 'har'],
    fewer: { certify: ['console', 'json'] },
    group: 'result',
    sentence: 'console; or json, which prints report.json, and nothing else, on standard output',
    sentences: {
      judge:
        'console; or json, which prints report.json; or har, which prints the exchanges as an HTTP archive (HAR 1.2) and judges nothing',
    },
    takers: ['certify', 'judge'],
    preset: 'console',
  },
  journal: {
    kind: 'file',
    group: 'result',
    sentence: 'journal of a recorded run to judge; nothing is sent',
    sentences: { library: 'where the journal is written (default: in the folder for temporary files)' },
    takers: ['playwright', 'library'],
  },
  algorithm: {
    kind: 'text',
    takes: 'name',
    group: 'bundled',
    sentence: 'rate-limit algorithm of the bundled server',
    takers: ['certify', 'load', 'serve'],
  },
  fault: {
    kind: 'text',
    takes: 'id',
    group: 'bundled',
    sentence: 'fault to inject into the bundled server; "serve --list faults" lists them',
    takers: ['certify', 'load', 'serve'],
  },
  variant: {
    kind: 'text',
    takes: 'id',
    group: 'bundled',
    sentence: 'conforming variant of the bundled server; "serve --list variants" lists them',
    takers: ['certify', 'load', 'serve'],
  },
  dryRun: {
    kind: 'switch',
    group: 'other',
    sentence: 'print what a run would send, and send nothing',
    sentences: { 'certify-client': 'print what a run would start, and start nothing' },
    takers: ['certify', 'load', 'certify-client'],
    first: ['certify', 'load', 'certify-client'],
  },
  config: {
    kind: 'file',
    group: 'other',
    sentence: 'configuration file (default: petstore-conformance.json, where it exists)',
    off: 'read no configuration file',
    takers: ['certify', 'load', 'certify-client', 'playwright'],
  },
} as const satisfies Readonly<Record<string, Row>>;

export const serveRows = takenBy('serve', {
  list: {
    kind: 'choice',
    takes: 'what',
    choices: ['faults', 'variants'],
    group: 'other',
    sentence: 'start nothing, and list the faults or the conforming variants',
  },
  port: {
    kind: 'number',
    takes: 'n',
    least: 0,
    most: 65_535,
    group: 'other',
    sentence: 'port to listen on; 0 takes any free port (default: 0)',
  },
  host: {
    kind: 'text',
    takes: 'address',
    group: 'other',
    sentence: 'address to listen on',
    preset: '127.0.0.1',
  },
  ban: {
    kind: 'text',
    takes: 'n:seconds',
    group: 'other',
    sentence: 'ban a key for SECONDS after it sent N further requests after a 429 response',
  },
} as const satisfies Readonly<Record<string, RowOfTaker>>);

export const manifestRows = takenBy('load manifest', {
  headerSecret: {
    kind: 'list',
    takes: 'name=secret/entry',
    group: 'target',
    sentence: 'a header whose value is in a Secret; repeatable',
  },
  keys: {
    kind: 'text',
    takes: 'list',
    group: 'keys',
    sentence:
      'the Secrets of the keys (key, other, disposable), separated by commas: NAME=SECRET or NAME=SECRET/ENTRY',
  },
  keysSecret: {
    kind: 'text',
    takes: 'secret',
    group: 'keys',
    sentence: 'the Secret that holds the same file: SECRET or SECRET/ENTRY',
  },
  parallelism: {
    kind: 'number',
    takes: 'n',
    most: 9999,
    unit: 'runners',
    group: 'sent',
    sentence: 'how many runners share the keys (default: 1)',
  },
  samplesClaim: {
    kind: 'text',
    takes: 'name',
    group: 'result',
    sentence: 'volume claim for the samples, to which all runners can write',
  },
  samplesS3: {
    kind: 'text',
    takes: 'bucket/prefix',
    group: 'result',
    sentence: 'storage for the samples that speaks S3',
  },
  samplesS3Secret: {
    kind: 'text',
    takes: 'name',
    group: 'result',
    sentence: 'the Secret with its settings, as variables of rclone (RCLONE_S3_…)',
  },
  prometheus: {
    kind: 'text',
    takes: 'url',
    group: 'result',
    sentence: 'remote-write address for the results',
  },
  namespace: {
    kind: 'text',
    takes: 'name',
    group: 'other',
    sentence: 'namespace of all manifests',
  },
} as const satisfies Readonly<Record<string, RowOfTaker>>);
