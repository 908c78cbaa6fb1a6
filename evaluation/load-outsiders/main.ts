import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { withBusyCore } from '../determinism/repeat.ts';
import { conduct } from '../study.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { healthyVariants, loadFaults } from './faults.ts';
import { loadService } from './load-service.ts';
import { LOAD_MATRIX_PAGE, renderLoadMatrix } from './page.ts';
import type { LoadRun, MatrixRow } from './results.ts';
import { falseLoadFails, missedFaults, rowKey } from './results.ts';
import type { LoadOutsider } from './services.ts';
import { buildLoadOutsider, loadOutsiders } from './services.ts';

/** A profile, and the service that it loads. */
interface Subject extends Omit<MatrixRow, 'runs' | 'service'> {
  readonly service: LoadOutsider;
}

const tasks = [
  ...loadFaults.map(({ id, profile }) => ({ fault: id, profile })),
  ...healthyVariants.flatMap(({ id, profiles }) =>
    (profiles === 'all' ? PROFILE_IDS : profiles).map((profile) => ({ fault: id, profile })),
  ),
];

const built = new Map<string, ReturnType<typeof buildLoadOutsider>>();

function builtOnce(service: LoadOutsider): ReturnType<typeof buildLoadOutsider> {
  const building = built.get(service.name) ?? buildLoadOutsider(service);
  built.set(service.name, building);
  return building;
}

await conduct<Subject, MatrixRow, 'keep'>({
  name: 'load-outsiders',
  folder: 'load-outsiders',
  about: `Runs every load profile with the real command against services in other languages: as they conform, in healthy
variants, and with each fault, on a machine with a busy core. With --keep all, the runs are added to those that are
stored; with --keep fill, each row gets as many as it lacks of --runs. None may be a false fail or a miss.`,
  subjects: loadOutsiders.flatMap((service) => tasks.map((task) => ({ service, ...task }))),
  nameOf: ({ service, fault, profile }) => rowKey({ service: service.name, fault, profile }),
  ...{ runs: 1, parallel: 4, options: { keep: 'none' } },
  impossible: withoutK6,
  during: withBusyCore,
  page: { file: LOAD_MATRIX_PAGE, render: (results) => renderLoadMatrix(Object.values(results)) },
  measure: async ({ service, fault, profile }, { runs, options: { keep } }, known) => {
    const before = keep === 'none' ? [] : (known?.runs ?? []);
    const missing = keep === 'fill' ? Math.max(0, runs - before.length) : runs;
    const found = await builtOnce(service);
    if (missing === 0) return undefined;
    if (found.kind === 'missing') return void console.log(`${service.name} is skipped: ${found.why}`);
    const all: LoadRun[] = [...before];
    while (all.length < before.length + missing) all.push(await loadService(found, profile, fault));
    return { service: service.name, fault, profile, runs: all };
  },
  summary: ({ runs }) =>
    runs.map(({ outcome, because }) => [outcome, ...because].join('\n    ')).join('\n  '),
  wrong: (row) => [
    ...falseLoadFails([row]).map((one) => `False fail: ${one}`),
    ...missedFaults([row]).map(({ text }) => `Missed: ${text}`),
  ],
});
