import type { Row } from './row.ts';

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
    first: ['certify', 'load'],
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
    scope: 'bundled',
  },
  fault: {
    kind: 'text',
    takes: 'id',
    group: 'bundled',
    sentence: 'fault to inject into the bundled server; "serve --list faults" lists them',
    takers: ['certify', 'load', 'serve'],
    scope: 'bundled',
  },
  variant: {
    kind: 'text',
    takes: 'id',
    group: 'bundled',
    sentence: 'conforming variant of the bundled server; "serve --list variants" lists them',
    takers: ['certify', 'load', 'serve'],
    scope: 'bundled',
  },
  dryRun: {
    kind: 'switch',
    group: 'other',
    sentence: 'print what a run would send, and send nothing',
    sentences: { 'certify-client': 'print what a run would start, and start nothing' },
    takers: ['certify', 'load', 'certify-client'],
    first: ['certify', 'load'],
  },
  config: {
    kind: 'file',
    group: 'other',
    sentence: 'configuration file (default: petstore-conformance.json, where it exists)',
    off: 'read no configuration file',
    takers: ['certify', 'load', 'certify-client', 'playwright'],
  },
} as const satisfies Readonly<Record<string, Row>>;
