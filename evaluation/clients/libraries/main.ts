import { conduct } from '../../study.ts';
import { certifyClient } from '../certify.ts';
import { provideLibraries } from './provide.ts';
import type { LibraryResult, LibrarySubject, Mode } from './subjects.ts';
import { MODES, startOf, subjects } from './subjects.ts';
import { runtimeVersion } from './versions.ts';

/** What a language needs is installed once, and named where it cannot be. */
const provided = new Map<LibrarySubject['language'], ReturnType<typeof provideLibraries>>();

function providedFor(language: LibrarySubject['language']): ReturnType<typeof provideLibraries> {
  const folder = provided.get(language) ?? provideLibraries(language, console.log);
  provided.set(language, folder);
  return folder;
}

await conduct<{ readonly library: LibrarySubject; readonly mode: Mode }, LibraryResult, 'jobs'>({
  name: 'client-libraries',
  folder: 'clients/libraries',
  about: `Installs HTTP libraries outside the tree, and tests each as it is shipped and as it is configured, with --jobs
processes. A configured one has to conform.`,
  subjects: subjects.flatMap((library) => MODES.map((mode) => ({ library, mode }))),
  nameOf: ({ library, mode }) => `${library.id} ${mode}`,
  ...{ runs: 1, parallel: 2, options: { jobs: '4' } },
  measure: async ({ library, mode }, { options }) => {
    const folder = await providedFor(library.language);
    if (typeof folder === 'string') return void console.log(`${library.id} is skipped: ${folder}`);
    const choice = { jobs: Number(options.jobs), thorough: true };
    const certificate = await certifyClient(startOf(library, mode, folder), choice);
    return { runtime: await runtimeVersion(library), ...certificate };
  },
  summary: ({ verdicts, advice }) =>
    [...Object.values(verdicts).map(({ verdict }) => verdict), ...advice].join(' '),
  wrong: ({ outcome, verdicts }, { mode }) =>
    mode === 'shipped' || outcome === 'conforms'
      ? []
      : Object.values(verdicts).flatMap(({ verdict, because }) =>
          verdict === 'pass' ? [] : [`${verdict}: ${because}`],
        ),
});
