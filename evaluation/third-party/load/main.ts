import { provide } from '../../../tools/provide.ts';
import { withBusyCore } from '../../determinism/busy-core.ts';
import { conduct } from '../../study.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { loadedServices } from '../services.ts';
import { loadService } from './load-service.ts';
import type { LoadRun, LoadRuns, LoadSubject } from './tables.ts';
import { loadSubjects, wrongRuns } from './tables.ts';

await conduct<LoadSubject, LoadRuns, 'keep'>({
  name: 'load-outsiders',
  folder: 'third-party/load',
  about: `Runs every load profile with the real command against services in other languages: as they conform, in healthy
variants, and with each fault, on a machine with a busy core. With --keep all, the runs are added to those that are
stored; with --keep fill, each row gets as many as it lacks of --runs. None may be a false fail or a miss.`,
  subjects: loadSubjects,
  nameOf: ({ name }) => name,
  ...{ runs: 1, parallel: 4, options: { keep: 'none' } },
  impossible: withoutK6,
  during: withBusyCore,
  measure: async ({ service: name, fault, profile }, { runs, options: { keep } }, known) => {
    const before = keep === 'none' ? [] : (known?.runs ?? []);
    const missing = keep === 'fill' ? Math.max(0, runs - before.length) : runs;
    const service = loadedServices.find((one) => one.name === name);
    if (missing === 0 || service === undefined) return undefined;
    const built = await provide(service);
    if (built.kind === 'missing') return void console.log(`${name} is skipped: ${built.why}`);
    const program = { ...service, folder: built.folder };
    const all: LoadRun[] = [...before];
    while (all.length < before.length + missing) all.push(await loadService(program, profile, fault.id));
    return { runs: all };
  },
  summary: ({ runs }) =>
    runs.map(({ outcome, because }) => [outcome, ...because].join('\n    ')).join('\n  '),
  wrong: (row, subject) => wrongRuns(subject, row).map(({ text }) => text),
});
