import { writeFileSync } from 'node:fs';
import { commandArguments } from '../../command-options.ts';
import { conformingClients, faultyClients } from '../catalogue/index.js';
import type { ClientCertificate } from '../certify.ts';
import { inParallel } from '../in-parallel.ts';
import { certifyCatalogueClient, differences } from './expectation.ts';
import { CLIENT_MATRIX_FILE, readClientMatrix } from './results.ts';

const USAGE = `npm run evaluate -- clients [ID… --parallel N --jobs N --repeat N --write]

Tests every client of the catalogue with the real command, N at a time with so many processes each,
and prints where a verdict differs from the catalogue. --repeat tests each client so often, and
prints where the verdicts differ from each other. --write stores the results.`;

const every = [...faultyClients, ...conformingClients];

const { values, names } = commandArguments(
  USAGE,
  {
    parallel: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '4' },
    repeat: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
  every.map(({ id }) => id),
);

const clients = every.filter(({ id }) => names.length === 0 || names.includes(id));
const rounds = Array.from({ length: Number(values.repeat) }, (_, round) => round + 1);
const runs = rounds.flatMap((round) => clients.map((client) => ({ client, round })));

const measured = new Map<string, ClientCertificate[]>();
let wrong = 0;
await inParallel(runs, Number(values.parallel), async ({ client, round }) => {
  const certificate = await certifyCatalogueClient(client, Number(values.jobs));
  measured.set(client.id, [...(measured.get(client.id) ?? []), certificate]);
  const differs = differences(client, certificate);
  for (const one of differs) console.error(one);
  wrong += differs.length;
  console.log(`${client.id}${rounds.length > 1 ? ` ${round}` : ''}: ${verdictsOf(certificate)}`);
  if (values.write) store(client.id, certificate);
});

if (rounds.length > 1) {
  const changing = [...measured].filter(([, all]) => new Set(all.map(verdictsOf)).size > 1);
  for (const [id, all] of changing) console.log(`${id} changes: ${all.map(verdictsOf).join(' | ')}`);
  const steady = measured.size - changing.length;
  console.log(`${steady} of ${measured.size} clients got the same verdicts ${rounds.length} times.`);
}
process.exitCode = wrong > 0 ? 1 : 0;

function verdictsOf({ verdicts }: ClientCertificate): string {
  return Object.values(verdicts)
    .map(({ verdict }) => verdict)
    .join(' ');
}

/** Stores one result at once, in the order of the catalogue, so that an interrupted run loses nothing. */
function store(id: string, certificate: ClientCertificate): void {
  const known = { ...readClientMatrix(), [id]: certificate };
  const ordered = Object.fromEntries(
    every.flatMap((one) => (known[one.id] ? [[one.id, known[one.id]]] : [])),
  );
  writeFileSync(CLIENT_MATRIX_FILE, `${JSON.stringify(ordered, null, 2)}\n`);
}
