import { writeFileSync } from 'node:fs';
import type { ProfileId } from '../../load/model/profile.ts';
import { PROFILE_IDS } from '../../load/model/profile.ts';
import { commandOptions } from '../command-options.ts';
import { withBusyCore } from '../determinism/busy.ts';
import type { Built } from '../outsiders/build.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { healthyVariants, loadFaults } from './faults.ts';
import { loadService } from './load-service.ts';
import { LOAD_MATRIX_PAGE, renderLoadMatrix } from './page.ts';
import type { LoadRun, MatrixRow } from './results.ts';
import { falseLoadFails, LOAD_MATRIX_FILE, missedFaults, readLoadMatrix, rowKey } from './results.ts';
import { buildLoadOutsider, loadOutsiders } from './services.ts';

const USAGE = `npm run evaluate -- load-outsiders [--service NAME --fault ID --profile ID --runs N --parallel N --append --fill --write]

Runs every load profile with the real command against services in other languages: as they
conform, in healthy variants, and with each fault, on a machine with a busy core. --fault none
is the service as it conforms. --write stores the results and the page; with --append, the
runs are added to those that are stored; with --fill, each row gets as many as it lacks of
--runs. The exit code is 1 after a false fail or a miss.`;

const values = commandOptions(USAGE, {
  service: { type: 'string' },
  fault: { type: 'string' },
  profile: { type: 'string' },
  runs: { type: 'string', default: '1' },
  parallel: { type: 'string', default: '4' },
  append: { type: 'boolean', default: false },
  fill: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
});
if (withoutK6 !== false) {
  console.error(withoutK6);
  process.exit(2);
}

/** A run to be made. */
interface Task {
  readonly fault: string;
  readonly profile: ProfileId;
}

const every: readonly Task[] = [
  ...loadFaults.map(({ id, profile }) => ({ fault: id, profile })),
  ...healthyVariants.flatMap(({ id, profiles }) =>
    (profiles === 'all' ? PROFILE_IDS : profiles).map((profile) => ({ fault: id, profile })),
  ),
];
const chosen = every.filter(
  ({ fault, profile }) =>
    (values.fault === undefined || (values.fault === 'none' ? fault === '' : fault === values.fault)) &&
    (values.profile === undefined || profile === values.profile),
);

const measured = new Map<string, MatrixRow>();

function record(service: string, { fault, profile }: Task, run: LoadRun): void {
  const row = { service, fault, profile };
  const runs = [...(measured.get(rowKey(row))?.runs ?? []), run];
  measured.set(rowKey(row), { ...row, runs });
  const detail = run.because.map((text) => `\n    ${text}`).join('');
  console.log(`${service} ${fault || 'as it conforms'}, ${profile}: ${run.verdict}${detail}`);
  if (values.write) store();
}

const adds = values.append || values.fill;

/** The results that were committed before. */
const before = new Map(readLoadMatrix().map((row) => [rowKey(row), row]));

/** How many of the rounds a row has already. */
const stored = (service: string, task: Task): number =>
  values.fill ? (before.get(rowKey({ service, ...task }))?.runs.length ?? 0) : 0;

function store(): void {
  const rows = loadOutsiders.flatMap(({ name: service }) =>
    every.flatMap((task) => {
      const key = rowKey({ service, ...task });
      const [old, made] = [before.get(key), measured.get(key)];
      const runs = made === undefined || adds ? [...(old?.runs ?? []), ...(made?.runs ?? [])] : made.runs;
      return runs.length === 0 ? [] : [{ service, ...task, runs }];
    }),
  );
  writeFileSync(LOAD_MATRIX_FILE, `${JSON.stringify(rows, null, 1)}\n`);
  writeFileSync(LOAD_MATRIX_PAGE, renderLoadMatrix(rows));
}

const services: (readonly [string, Extract<Built, { kind: 'built' }>])[] = [];
for (const outsider of loadOutsiders) {
  if (values.service !== undefined && outsider.name !== values.service) continue;
  const built = await buildLoadOutsider(outsider);
  if (built.kind === 'built') services.push([outsider.name, built]);
  else console.log(`${outsider.name} is skipped: ${built.why}`);
}

// Round by round, so that an interrupted measurement has the same number of runs everywhere.
const tasks = Array.from({ length: Number(values.runs) }, (_, round) =>
  chosen.flatMap((task) =>
    services.flatMap(([name, built]) => (round < stored(name, task) ? [] : { name, built, task })),
  ),
).flat();
const queue = tasks.values();
let impossible = 0;
let interrupted = false;
// Runs in progress are finished, so that every service and every k6 is stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (interrupted = true));
await withBusyCore(async () => {
  const worker = async (): Promise<void> => {
    for (const { name, built, task } of queue) {
      if (interrupted) return;
      try {
        record(name, task, await loadService(built, task.profile, task.fault));
      } catch (error) {
        impossible += 1;
        console.error(error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, worker));
});

if (values.write) store();
const rows = [...measured.values()];
const [wrong, missed] = [falseLoadFails(rows), missedFaults(rows)];
for (const one of wrong) console.error(`False fail: ${one}`);
for (const { text } of missed) console.error(`Missed: ${text}`);
console.log(
  `${tasks.length} runs: ${wrong.length} false fails, ${missed.length} misses, ${impossible} without a report.`,
);
process.exitCode = wrong.length + missed.length + impossible > 0 ? 1 : 0;
