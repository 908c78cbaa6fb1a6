import { conduct } from '../../study.ts';
import { conformingClients, faultyClients } from '../catalogue/index.js';
import type { CatalogueClient, ClientCertificate } from '../certify.ts';
import { certifyCatalogueClient, differences } from '../certify.ts';

const verdictsOf = ({ verdicts }: ClientCertificate): string =>
  Object.values(verdicts)
    .map(({ verdict }) => verdict)
    .join(' ');

await conduct<CatalogueClient, ClientCertificate, 'jobs'>({
  name: 'clients',
  folder: 'clients/matrix',
  about: `Tests every client of the catalogue with the real command, with --jobs processes each. With more than one run it
prints where the verdicts of a client differ from each other.`,
  subjects: [...faultyClients, ...conformingClients],
  nameOf: ({ id }) => id,
  ...{ runs: 1, parallel: 3, options: { jobs: '4' } },
  measure: async (client, { runs, options }) => {
    const all: ClientCertificate[] = [];
    while (all.length < runs) all.push(await certifyCatalogueClient(client, Number(options.jobs)));
    const found = all.map(verdictsOf);
    if (new Set(found).size > 1) console.log(`${client.id} changes: ${found.join(' | ')}`);
    return all.at(-1);
  },
  summary: verdictsOf,
  wrong: (certificate, client) => differences(client, certificate),
});
