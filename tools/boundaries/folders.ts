import type { Folder } from './boundaries.ts';
import { nouns, withLimits } from './boundaries.ts';

/**
 * Every folder, each with those in it, lowest first. `main.ts` fails where a file imports from a
 * folder that is not in its list; tests are exempt, because they check folders against each other.
 */
export const folders: readonly Folder[] = [
  {
    path: 'spec',
    contains: 'the specification, `openapi.yaml`, `plans.json`, and the register of requirements',
    imports: ['kernel/basics'],
    because: 'every folder is built on it',
  },
  {
    path: 'kernel',
    contains:
      'what suites, load, reports and interfaces share: what was sent and received, what a limit is, what a verdict is, and how a run is kept',
    imports: [],
    because: 'each of its folders has a row of its own',
    pure: true,
  },
  {
    path: 'kernel/basics',
    contains:
      'what every folder says and reads: errors of one sentence, texts for people, the shapes of values from files',
    imports: [],
    because: 'every folder uses it',
  },
  {
    path: 'kernel/exchanges',
    contains: 'what was sent and received, and how its headers are read',
    imports: ['kernel/basics', 'spec'],
    because: 'suites and load both read exchanges with it',
    pure: true,
  },
  {
    path: 'kernel/recording',
    contains: 'what a recorded run is kept with: files line by line, keys replaced by names',
    imports: ['kernel/basics'],
    because: 'both halves of the certificate record, each with lines of its own',
  },
  {
    path: 'kernel/usage-ledger',
    contains: 'what each key has used of its day, and the guard that decides whether a run may start',
    imports: ['kernel/basics', 'spec'],
    because: 'certify and load both write to it',
  },
  {
    path: 'kernel/rate-limits',
    contains:
      'the arithmetic of rate limits: series of requests, bounds with their derivations, attribution of a 429',
    imports: nouns,
    because: 'suites and load both judge with it, and neither owns it',
    pure: true,
  },
  {
    path: 'kernel/findings',
    contains: 'what a verdict is: findings, the record of a run, its baseline and the codes of a gate',
    imports: nouns,
    because: 'suites and load judge with it, reports and every interface read it',
    pure: true,
  },
  {
    path: 'suites',
    contains: 'testing services, and testing clients',
    imports: [],
    because: 'each of its folders has a row of its own',
    pure: true,
  },
  {
    path: 'suites/service',
    contains: 'testing services: probes send, requirements judge',
    imports: ['kernel', 'spec'],
    because: 'suites and the reference server share no code, so that they cannot share a mistake',
  },
  {
    path: 'suites/service/model',
    contains:
      'the nouns of a certification run: its journal, and what is read from it before anything is judged',
    imports: [...nouns, 'kernel/recording', 'kernel/findings'],
    because: 'reports and judges work without a network',
    pure: true,
  },
  {
    path: 'suites/service/wire',
    contains: 'the only network access: connections, keys, redaction, the journal file',
    imports: [...nouns, 'kernel/recording', 'kernel/findings', 'suites/service/model'],
    because: 'it sends what it is given and decides nothing',
  },
  {
    path: 'suites/service/pacing',
    contains: 'what keeps a run inside the limit of the target',
    imports: [...withLimits, 'kernel/findings', 'suites/service/model', 'suites/service/wire'],
    because: 'it knows requests and limits, not what they are for',
  },
  {
    path: 'suites/service/probes',
    contains:
      'the requests of a run: one object for each question, with its cost, in the order of `probes/index.ts`',
    imports: [
      ...withLimits,
      'kernel/findings',
      'suites/service/model',
      'suites/service/wire',
      'suites/service/pacing',
    ],
    because: 'a probe sends and does not judge',
  },
  {
    path: 'suites/service/evidence',
    contains:
      'what judges share: the exchanges of a run by probe, JSON without loss, OpenAPI documents, facts that several judges need',
    imports: [...withLimits, 'kernel/findings', 'suites/service/model', 'suites/service/probes'],
    because: 'a requirement is judged on recorded exchanges alone',
    pure: true,
  },
  {
    path: 'suites/service/requirements',
    contains: 'one object for each requirement, one file for each chapter of the register',
    imports: [
      ...withLimits,
      'kernel/findings',
      'suites/service/model',
      'suites/service/probes',
      'suites/service/evidence',
    ],
    because: 'a requirement is judged on recorded exchanges alone; it names probes and never sends',
    pure: true,
  },
  {
    path: 'suites/service/judge',
    contains:
      'from a journal to a run record: every requirement judged, causes that findings share, fixes by framework',
    imports: [
      ...withLimits,
      'kernel/findings',
      'suites/service/model',
      'suites/service/probes',
      'suites/service/evidence',
      'suites/service/requirements',
    ],
    because: 'a journal is judged the same way today and years later',
    pure: true,
  },
  {
    path: 'suites/service/run',
    contains:
      'from options to a recorded run, for the command, the library and Playwright: the plan with its cost, the run itself, and its entry in the usage ledger',
    imports: [
      ...withLimits,
      'kernel/recording',
      'kernel/usage-ledger',
      'kernel/findings',
      'suites/service/model',
      'suites/service/wire',
      'suites/service/pacing',
      'suites/service/probes',
      'suites/service/requirements',
      'suites/service/inputs',
    ],
    because: 'a run records and does not judge',
  },
  {
    path: 'suites/service/inputs',
    contains: 'what users give, checked: addresses, keys, headers, name patterns',
    imports: [
      ...nouns,
      'kernel/recording',
      'kernel/findings',
      'suites/service/model',
      'suites/service/wire',
      'suites/service/probes',
      'suites/service/evidence',
    ],
    because: 'the command and Playwright read the same inputs',
  },
  {
    path: 'suites/client',
    contains: 'testing clients: their processes and journal, client templates, the exemplary client',
    imports: [...nouns, 'kernel/recording', 'kernel/findings'],
    because: 'the two halves of the certificate share nouns alone',
  },
  {
    path: 'suites/client/model',
    contains: 'the nouns of testing clients: scenarios, the journal of a client',
    imports: [...nouns, 'kernel/recording', 'kernel/findings'],
    because: 'judges and reports work without a network',
    pure: true,
  },
  {
    path: 'suites/client/scenarios',
    contains: 'the situations that a client is put into, one object each',
    imports: [...nouns, 'suites/client/model'],
    because: 'a scenario is data: the service plays it, and judges name it',
    pure: true,
  },
  {
    path: 'suites/client/service',
    contains: 'the scripted service: it plays one scenario, and records before it responds',
    imports: [...nouns, 'kernel/recording', 'suites/client/model', 'suites/client/scenarios'],
    because: 'it shares no code with the judges, so that they cannot share a mistake',
  },
  {
    path: 'suites/client/libraries',
    contains: 'HTTP libraries, and the fix for a client that uses one, one object each',
    imports: [],
    because: 'it is data about programs of others',
    pure: true,
  },
  {
    path: 'suites/client/watch',
    contains: 'the proxy that reads along between a client and its service, and changes no byte',
    imports: [
      ...nouns,
      'kernel/recording',
      'suites/client/model',
      'suites/client/scenarios',
      'suites/client/service',
    ],
    because: 'it records and does not judge',
  },
  {
    path: 'suites/client/judging',
    contains: 'from the journal of a client to its record: one object for each requirement of clients',
    imports: [
      ...nouns,
      'kernel/findings',
      'suites/service/model',
      'suites/service/evidence',
      'suites/client/model',
      'suites/client/scenarios',
      'suites/client/libraries',
    ],
    because: 'a journal is judged the same way today and years later',
    pure: true,
  },
  {
    path: 'reference-server',
    contains:
      'the minimal server: HTTP, the service, one file for each limiter, and the seams for other behaviour',
    imports: ['kernel/basics', 'spec'],
    because:
      'it knows nothing of the catalogue, and shares no code with suites so that they cannot share a mistake',
  },
  {
    path: 'reference-server/catalogue',
    contains:
      'faults (each breaks the specification in one way) and conforming variants, built into the seams of the reference server',
    imports: ['kernel/basics', 'spec', 'reference-server'],
    unknownAbove: true,
    because: 'the suites must not know what it breaks',
  },
  {
    path: 'load',
    contains:
      'the preview of a run, the k6 script, k6 itself, comparison of runs, Prometheus and Kubernetes files',
    imports: [...withLimits, 'kernel/findings', 'kernel/recording', 'kernel/usage-ledger'],
    because: 'load does not depend on a certification run',
  },
  {
    path: 'load/model',
    contains: 'the nouns of load: profiles, samples, the file of a run',
    imports: [...nouns, 'kernel/findings'],
    because: 'Node and k6 both read it',
    pure: true,
  },
  {
    path: 'load/profiles',
    contains: 'the load profiles as typed data',
    imports: [...nouns, 'kernel/usage-ledger', 'load/model'],
    because: 'Node and k6 both read it',
    pure: true,
  },
  {
    path: 'load/judging',
    contains: 'one object for each expectation of a profile, judged on recorded samples',
    imports: [...withLimits, 'kernel/findings', 'load/model', 'load/profiles'],
    because: 'a load run is judged with the same arithmetic as a certification run, on what was recorded',
    pure: true,
  },
  {
    path: 'reports',
    contains: 'a run record or a load record as files',
    imports: [...nouns, 'kernel/findings', 'suites/service/model', 'suites/client/model', 'load/model'],
    because: 'a report shows a record: it never talks to a target and never judges',
  },
  {
    path: 'interfaces',
    contains:
      'how people and programs reach it: the command, Playwright, the library, certificates, the page of each requirement',
    imports: [],
    because: 'each of its folders has a row of its own',
    pure: true,
  },
  {
    path: 'interfaces/command',
    contains: 'the command: options in, exit code out; the only place where the folders meet',
    imports: [
      'kernel',
      'spec',
      'suites',
      'load',
      'reports',
      'reference-server',
      'interfaces/options',
      'interfaces/run',
      'interfaces/certificate',
      'interfaces/handbook',
    ],
    because: 'the product does not depend on its laboratory',
  },
  {
    path: 'interfaces/options',
    contains:
      'one table of every option, and what is made of it: flags, variables, the configuration file, types, checks',
    imports: [...nouns, 'suites/service'],
    because: 'every interface takes its options from it, and none owns it',
  },
  {
    path: 'interfaces/run',
    contains:
      'what the steps of a run share: how it is judged, what it gives, and its progress; for the command, the library and Playwright',
    imports: ['kernel', 'spec', 'suites/service', 'load/model', 'reports', 'interfaces/options'],
    because: 'a run goes the same way whoever starts it',
  },
  {
    path: 'interfaces/playwright',
    contains:
      'the Playwright interface: one test for each requirement, in any Playwright project, and its reporter',
    imports: ['kernel', 'spec', 'suites/service', 'reports', 'interfaces/options', 'interfaces/run'],
    because: 'it presents what suites recorded and judged, and writes the same reports as the command',
  },
  {
    path: 'interfaces/library',
    contains: 'the package as a library: certify, judge, write reports, start the reference server',
    imports: [
      'kernel',
      'spec',
      'suites/service',
      'reports',
      'reference-server',
      'interfaces/options',
      'interfaces/run',
    ],
    because: 'it offers what the command does to other programs, without printing',
  },
  {
    path: 'interfaces/certificate',
    contains:
      'a certificate that others can check: an in-toto statement about a run, signed, and its verification',
    imports: [
      ...nouns,
      'kernel/findings',
      'suites/service/model',
      'suites/service/inputs',
      'suites/service/probes',
    ],
    because: 'what it verifies is judged again by whoever calls it',
  },
  {
    path: 'interfaces/handbook',
    contains: 'a page for each requirement, made of the objects that state, judge and prove it',
    imports: ['kernel', 'spec', 'suites', 'load', 'reference-server/catalogue'],
    because: 'it describes requirements and runs nothing',
  },
  {
    path: 'evaluation',
    contains:
      'the laboratory that proves the product: simulation, kill matrix, statistics, determinism, hostile targets, third-party implementations, benchmarks, test tools',
    imports: 'all folders',
    because: '',
  },
  {
    path: 'tools',
    contains: 'provisioning, generated documents, the boundaries between these folders, the glossary',
    imports: 'all folders',
    because: '',
  },
];
