import { clientFolders } from './client-folders.ts';
import type { Folder } from './folder.ts';
import { kernel, nouns } from './folder.ts';

/**
 * Every folder, lowest first. `main.ts` fails where a file imports from a
 * folder that is not in its list; tests are exempt, because they check folders against each other.
 */
export const folders: readonly Folder[] = [
  {
    path: 'words',
    contains:
      'what every folder says and reads: errors of one sentence, texts for people, the shapes of values from files',
    imports: [],
    because: 'every folder uses it',
    effects: 'any',
  },
  {
    path: 'spec',
    contains: 'the specification, `openapi.yaml`, `plans.json`, and the register of requirements',
    imports: ['words'],
    because: 'every folder is built on it',
    effects: 'any',
  },
  {
    path: 'exchanges',
    contains: 'what was sent and received, and how its headers are read',
    imports: ['words', 'spec'],
    because: 'suites and load both read exchanges with it',
    effects: 'pure',
  },
  {
    path: 'recording',
    contains: 'what a recorded run is kept with: files line by line, keys replaced by names',
    imports: ['words'],
    because: 'both halves of the certificate record, each with lines of its own',
    effects: 'any',
  },
  {
    path: 'rate-limits',
    contains:
      'the arithmetic of rate limits: series of requests, bounds with their derivations, attribution of a 429',
    imports: nouns,
    because: 'suites and load both judge with it, and neither owns it',
    effects: 'pure',
  },
  {
    path: 'suites/model',
    contains: 'the nouns of a certification run: its journal and its record',
    imports: [...nouns, 'recording'],
    because: 'reports and judges work without a network',
    effects: 'pure',
  },
  {
    path: 'suites/wire',
    contains: 'the only network access: connections, keys, redaction, the journal file',
    imports: [...nouns, 'recording', 'suites/model'],
    because: 'it sends what it is given and decides nothing',
    effects: 'any',
  },
  {
    path: 'suites/pacing',
    contains: 'what keeps a run inside the limit of the target',
    imports: [...kernel, 'suites/model', 'suites/wire'],
    because: 'it knows requests and limits, not what they are for',
    effects: 'any',
  },
  {
    path: 'suites/probes',
    contains:
      'the requests of a run: one object for each question, with its cost, in the order of `probes/index.ts`',
    imports: [...kernel, 'suites/model', 'suites/wire', 'suites/pacing'],
    because: 'a probe sends and does not judge',
    effects: 'any',
  },
  {
    path: 'suites/evidence',
    contains:
      'what judges share: the exchanges of a run by probe, JSON without loss, OpenAPI documents, facts that several judges need',
    imports: [...kernel, 'suites/model', 'suites/probes'],
    because: 'a requirement is judged on recorded exchanges alone',
    effects: 'pure',
  },
  {
    path: 'suites/requirements',
    contains: 'one object for each requirement, one file for each chapter of the register',
    imports: [...kernel, 'suites/model', 'suites/probes', 'suites/evidence'],
    because: 'a requirement is judged on recorded exchanges alone; it names probes and never sends',
    effects: 'pure',
  },
  {
    path: 'suites/judge',
    contains:
      'from a journal to a run record: every requirement judged, causes that findings share, fixes by framework',
    imports: [...kernel, 'suites/model', 'suites/probes', 'suites/evidence', 'suites/requirements'],
    because: 'a journal is judged the same way today and years later',
    effects: 'pure',
  },
  {
    path: 'suites/run',
    contains:
      'from options to a recorded run, for the command, the library and Playwright: the plan with its cost, the run itself, and its entry in the usage ledger',
    imports: [
      ...kernel,
      'recording',
      'usage-ledger',
      'suites/model',
      'suites/wire',
      'suites/pacing',
      'suites/probes',
      'suites/requirements',
      'suites/inputs',
    ],
    because: 'a run records and does not judge',
    effects: 'any',
  },
  {
    path: 'suites/inputs',
    contains: 'what users give, checked: addresses, keys, headers, name patterns',
    imports: [...nouns, 'recording', 'suites/model', 'suites/wire', 'suites/probes', 'suites/evidence'],
    because: 'the command and Playwright read the same inputs',
    effects: 'any',
  },
  {
    path: 'suites',
    contains: 'testing services: probes send, requirements judge',
    imports: [...kernel],
    because: 'suites and the reference server share no code, so that they cannot share a mistake',
    effects: 'any',
  },
  {
    path: 'reference-server',
    contains:
      'the minimal server: HTTP, the service, one file for each limiter, and the seams for other behaviour',
    imports: ['words', 'spec'],
    because:
      'it knows nothing of the catalogue, and shares no code with suites so that they cannot share a mistake',
    effects: 'any',
  },
  {
    path: 'catalogue',
    contains:
      'faults (each breaks the specification in one way) and conforming variants, built into the seams of the reference server',
    imports: ['words', 'spec', 'reference-server'],
    because: 'the suites must not know what it breaks',
    effects: 'any',
  },
  {
    path: 'load/model',
    contains: 'the nouns of load: profiles, samples, the load record',
    imports: nouns,
    because: 'Node and k6 both read it',
    effects: 'pure',
  },
  {
    path: 'load/profiles',
    contains: 'the load profiles as typed data, one file each',
    imports: [...nouns, 'usage-ledger', 'load/model'],
    because: 'Node and k6 both read it',
    effects: 'pure',
  },
  {
    path: 'load/judging',
    contains: 'one object for each expectation of a profile, judged on recorded samples',
    imports: [...kernel, 'load/model', 'load/profiles'],
    because: 'a load run is judged with the same arithmetic as a certification run, on what was recorded',
    effects: 'pure',
  },
  {
    path: 'load',
    contains:
      'the preview of a run, the k6 script, k6 itself, comparison of runs, Prometheus and Kubernetes files',
    imports: [...kernel, 'recording', 'usage-ledger'],
    because: 'load does not depend on a certification run',
    effects: 'any',
  },
  ...clientFolders,
  {
    path: 'usage-ledger',
    contains: 'what each key has used of its day, and the guard that decides whether a run may start',
    imports: ['words', 'spec'],
    because: 'certify and load both write to it',
    effects: 'any',
  },
  {
    path: 'reports',
    contains: 'a run record or a load record as files',
    imports: [...nouns, 'suites/model', 'load/model', 'clients/model'],
    because: 'a report shows a record: it never talks to a target and never judges',
    effects: 'any',
  },
  {
    path: 'cli/config',
    contains: 'the configuration file: its schema, how it is read, and the options that it stands for',
    imports: ['words', 'exchanges', 'suites/inputs'],
    because: 'the command and Playwright read the same file',
    effects: 'any',
  },
  {
    path: 'suites/playwright',
    contains:
      'the Playwright interface: one test for each requirement, in any Playwright project, and its reporter',
    imports: [...kernel, 'suites', 'usage-ledger', 'reports', 'cli/config'],
    because: 'it presents what suites recorded and judged, and writes the same reports as the command',
    effects: 'any',
  },
  {
    path: 'attestation',
    contains:
      'a certificate that others can check: an in-toto statement about a run, signed, and its verification',
    imports: [...nouns, 'suites/model', 'suites/inputs', 'suites/probes'],
    because: 'what it verifies is judged again by whoever calls it',
    effects: 'any',
  },
  {
    path: 'handbook',
    contains: 'a page for each requirement, made of the objects that state, judge and prove it',
    imports: [...kernel, 'suites', 'clients', 'catalogue'],
    because: 'it describes requirements and runs nothing',
    effects: 'any',
  },
  {
    path: 'library',
    contains: 'the package as a library: certify, judge, write reports, start the reference server',
    imports: [...kernel, 'suites', 'reports', 'reference-server', 'catalogue'],
    because: 'it offers what the command does to other programs, without printing',
    effects: 'any',
  },
  {
    path: 'cli',
    contains: 'the command: options in, exit code out; the only place where the folders meet',
    imports: [
      ...kernel,
      'suites',
      'load',
      'clients',
      'attestation',
      'handbook',
      'usage-ledger',
      'reports',
      'reference-server',
      'catalogue',
    ],
    because: 'the product does not depend on its laboratory',
    effects: 'any',
  },
  {
    path: 'evaluation',
    contains:
      'the laboratory that proves the product: simulation, kill matrix, statistics, determinism, hostile targets, third-party implementations, benchmarks, test tools',
    imports: 'all folders',
    because: '',
    effects: 'any',
  },
  {
    path: 'tools',
    contains: 'provisioning, generated documents, the boundaries between these folders, the glossary',
    imports: 'all folders',
    because: '',
    effects: 'any',
  },
];
