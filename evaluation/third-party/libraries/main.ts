import { provide } from '../../../tools/provide.ts';
import { certifyClient } from '../../clients/certify.ts';
import { conduct } from '../../study.ts';
import type { LibraryResult, LibrarySubject, Mode } from './subjects.ts';
import { MODES, programs, runtimeVersion, startOf, subjects } from './subjects.ts';

await conduct<{ readonly library: LibrarySubject; readonly mode: Mode }, LibraryResult, 'jobs'>({
  name: 'client-libraries',
  folder: 'third-party/libraries',
  about: `Installs HTTP libraries outside the tree, and tests each as it is shipped and as it is configured, with --jobs
processes. A configured one has to conform.`,
  subjects: subjects.flatMap((library) => MODES.map((mode) => ({ library, mode }))),
  nameOf: ({ library, mode }) => `${library.id} ${mode}`,
  ...{ runs: 1, parallel: 2, options: { jobs: '4' } },
  measure: async ({ library, mode }, { options }) => {
    const built = await provide(programs[library.language]);
    if (built.kind === 'missing') return void console.log(`${library.id} is skipped: ${built.why}`);
    const choice = { jobs: Number(options.jobs), thorough: true };
    const certificate = await certifyClient(startOf(library, mode, built.folder), choice);
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
