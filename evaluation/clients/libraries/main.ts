import { writeFileSync } from 'node:fs';
import { commandArguments } from '../../command-options.ts';
import type { ClientCertificate } from '../certify.ts';
import { certifyClient } from '../certify.ts';
import { inParallel } from '../in-parallel.ts';
import { provideLibraries } from './provide.ts';
import { LIBRARIES_FILE, readLibraries } from './results.ts';
import type { LibrarySubject, Mode, ToolFolder } from './subjects.ts';
import { startOf, subjects } from './subjects.ts';
import { runtimeVersion } from './versions.ts';

const USAGE = `npm run evaluate -- client-libraries [ID… --mode shipped|configured --parallel N --jobs N --write]

Installs the libraries outside the tree, tests each as it is shipped and as it is configured, and
prints the verdicts. --write stores them. The exit code is 1 where a configured one does not conform.`;

const { values, names } = commandArguments(
  USAGE,
  {
    mode: { type: 'string', multiple: true, default: ['shipped', 'configured'] },
    parallel: { type: 'string', default: '2' },
    jobs: { type: 'string', default: '4' },
    write: { type: 'boolean', default: false },
  },
  subjects.map(({ id }) => id),
);

const wanted = subjects.filter(({ id }) => names.length === 0 || names.includes(id));
const folders = new Map<string, ToolFolder>();
for (const language of new Set(wanted.map((one) => one.language))) {
  const provided = await provideLibraries(language, console.log);
  if (typeof provided === 'string') console.log(`${language} is skipped: ${provided}`);
  else folders.set(language, provided);
}

const modes = (['shipped', 'configured'] as const).filter((mode) => values.mode.includes(mode));
const runs = wanted.flatMap((subject) => {
  const folder = folders.get(subject.language);
  return folder === undefined ? [] : modes.map((mode) => ({ subject, mode, folder }));
});
await inParallel(runs, Number(values.parallel), async ({ subject, mode, folder }) => {
  const words = startOf(subject, mode, folder);
  const certificate = await certifyClient(words, { jobs: Number(values.jobs), thorough: true });
  const verdicts = Object.values(certificate.verdicts).map(({ verdict }) => verdict);
  console.log(`${subject.id}, ${mode}: ${[...verdicts, ...certificate.advice].join(' ')}`);
  if (mode === 'configured' && certificate.outcome !== 'conforms') explain(certificate);
  if (values.write) store(subject, mode, await runtimeVersion(subject), certificate);
});

function explain({ verdicts }: ClientCertificate): void {
  process.exitCode = 1;
  for (const { verdict, because } of Object.values(verdicts))
    if (verdict !== 'pass') console.error(`  ${verdict}: ${because}`);
}

/** Stores one result at once, in the order of the table, so that an interrupted run loses nothing. */
function store({ id }: LibrarySubject, mode: Mode, runtime: string, certificate: ClientCertificate): void {
  const known = readLibraries();
  const result = { runtime, certificates: { ...known[id]?.certificates, [mode]: certificate } };
  const all = { ...known, [id]: result };
  const ordered = Object.fromEntries(subjects.flatMap((one) => (all[one.id] ? [[one.id, all[one.id]]] : [])));
  writeFileSync(LIBRARIES_FILE, `${JSON.stringify(ordered, null, 2)}\n`);
}
