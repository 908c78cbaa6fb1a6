import type { Folder } from './folder.ts';
import { nouns } from './folder.ts';

/** The folders that test clients. */
export const clientFolders: readonly Folder[] = [
  {
    path: 'clients/model',
    contains: 'the nouns of testing clients: scenarios, the journal of a client',
    imports: [...nouns, 'recording', 'suites/model'],
    because: 'judges and reports work without a network',
    effects: 'pure',
  },
  {
    path: 'clients/scenarios',
    contains: 'the situations that a client is put into, one object each',
    imports: [...nouns, 'clients/model'],
    because: 'a scenario is data: the service plays it, and judges name it',
    effects: 'pure',
  },
  {
    path: 'clients/service',
    contains: 'the scripted service: it plays one scenario, and records before it responds',
    imports: [...nouns, 'recording', 'clients/model', 'clients/scenarios'],
    because: 'it shares no code with the judges, so that they cannot share a mistake',
    effects: 'any',
  },
  {
    path: 'clients/libraries',
    contains: 'HTTP libraries, and the fix for a client that uses one, one object each',
    imports: [],
    because: 'it is data about programs of others',
    effects: 'pure',
  },
  {
    path: 'clients/watch',
    contains: 'the proxy that reads along between a client and its service, and changes no byte',
    imports: [...nouns, 'recording', 'clients/model', 'clients/scenarios', 'clients/service'],
    because: 'it records and does not judge',
    effects: 'any',
  },
  {
    path: 'clients/judging',
    contains: 'from the journal of a client to its record: one object for each requirement of clients',
    imports: [
      ...nouns,
      'suites/model',
      'suites/evidence',
      'clients/model',
      'clients/scenarios',
      'clients/libraries',
    ],
    because: 'a journal is judged the same way today and years later',
    effects: 'pure',
  },
  {
    path: 'clients',
    contains: 'testing clients: their processes and journal, client templates, the exemplary client',
    imports: [...nouns, 'recording', 'suites/model'],
    because: 'the two halves of the certificate share nouns alone',
    effects: 'any',
  },
];
