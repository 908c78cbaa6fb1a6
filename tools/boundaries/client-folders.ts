import type { Folder } from './boundaries.ts';
import { nouns } from './boundaries.ts';

/** The folders that test clients. */
export const clientFolders: readonly Folder[] = [
  {
    path: 'suites/client',
    contains: 'testing clients: their processes and journal, client templates, the exemplary client',
    imports: [...nouns, 'kernel/recording', 'kernel/findings'],
    because: 'the two halves of the certificate share nouns alone',
    effects: 'any',
  },
  {
    path: 'suites/client/model',
    contains: 'the nouns of testing clients: scenarios, the journal of a client',
    imports: [...nouns, 'kernel/recording', 'kernel/findings'],
    because: 'judges and reports work without a network',
    effects: 'pure',
  },
  {
    path: 'suites/client/scenarios',
    contains: 'the situations that a client is put into, one object each',
    imports: [...nouns, 'suites/client/model'],
    because: 'a scenario is data: the service plays it, and judges name it',
    effects: 'pure',
  },
  {
    path: 'suites/client/service',
    contains: 'the scripted service: it plays one scenario, and records before it responds',
    imports: [...nouns, 'kernel/recording', 'suites/client/model', 'suites/client/scenarios'],
    because: 'it shares no code with the judges, so that they cannot share a mistake',
    effects: 'any',
  },
  {
    path: 'suites/client/libraries',
    contains: 'HTTP libraries, and the fix for a client that uses one, one object each',
    imports: [],
    because: 'it is data about programs of others',
    effects: 'pure',
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
    effects: 'any',
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
    effects: 'pure',
  },
];
