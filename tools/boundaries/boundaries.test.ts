import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boundaryProblems, folderOf } from './boundaries.ts';
import { folders } from './folders.ts';

type Row = readonly [file: string, specifier: string, because: RegExp];

const rejected: readonly Row[] = [
  ['words/a.ts', '../spec/plans.ts', /every folder uses it/],
  ['spec/deep/a.ts', '../../suites/judge-journal.ts', /every folder is built on it/],
  ['exchanges/a.ts', '../rate-limits/series.ts', /suites and load both/],
  ['exchanges/a.ts', 'node:fs/promises', /pure/],
  ['rate-limits/bounds/a.ts', '../../suites/model/journal.ts', /neither owns it/],
  ['rate-limits/a.ts', 'undici', /pure/],
  ['suites/model/a.ts', '../wire/wire.ts', /without a network/],
  ['suites/wire/a.ts', '../probes/index.ts', /decides nothing/],
  ['suites/wire/a.ts', '../../reference-server/seams.ts', /decides nothing/],
  ['suites/probes/a.ts', '../requirements/index.ts', /does not judge/],
  ['suites/requirements/a.ts', '../wire/session.ts', /never sends/],
  ['suites/requirements/chapter/a.ts', '../../pacing/pacer.ts', /never sends/],
  ['suites/requirements/a.ts', 'node:timers/promises', /pure/],
  ['suites/judge/a.ts', 'node:fs', /pure/],
  ['suites/judge-journal.ts', '../reference-server/seams.ts', /cannot share a mistake/],
  ['reference-server/a.ts', '../catalogue/find-entry.ts', /knows nothing of the catalogue/],
  ['reference-server/limiters/a.ts', '../../exchanges/headers.ts', /cannot share a mistake/],
  ['catalogue/faults/a.ts', '../../suites/judge-journal.ts', /must not know/],
  ['load/judging/a.ts', '../../suites/evidence/evidence.ts', /same arithmetic/],
  ['load/script/a.ts', '../../suites/judge-journal.ts', /does not depend/],
  ['usage-ledger/a.ts', '../cli/main.ts', /both write/],
  ['reports/html/a.ts', '../../suites/judge/judge.ts', /never judges/],
  ['reports/load/a.ts', '../../load/judging/judge.ts', /never judges/],
  ['cli/a.ts', '../tools/files.ts', /laboratory/],
  ['cli/a.ts', '../evaluation/matrix/matrix.ts', /laboratory/],
];

const accepted: readonly (readonly [file: string, specifier: string])[] = [
  ['spec/a.ts', '../words/user-error.ts'],
  ['suites/wire/a.ts', './session.ts'],
  ['suites/wire/a.ts', 'undici'],
  ['suites/judge-journal.ts', './judge/judge.ts'],
  ['suites/requirements/a.ts', '../probes/index.ts'],
  ['suites/requirements/a.ts', '../../rate-limits/series.ts'],
  ['load/judging/expectations/a.ts', '../../../rate-limits/series.ts'],
  ['reports/html/a.ts', '../load/page.ts'],
  ['catalogue/faults/a.ts', '../../reference-server/limiters/gcra.ts'],
  ['cli/a.ts', '../catalogue/find-entry.ts'],
  ['evaluation/a.ts', '../reference-server/seams.ts'],
  ['suites/wire/a.test.ts', '../../reference-server/seams.ts'],
  ['playwright.config.ts', './suites/playwright/settings.ts'],
];

describe('the boundaries between the folders', () => {
  for (const [file, specifier, because] of rejected)
    test(`${file} may not import ${specifier}`, () => {
      const [problem, ...more] = boundaryProblems(folders, file, `import { x } from '${specifier}';`);
      assert.match(problem ?? 'allowed', because);
      assert.deepEqual(more, []);
    });

  for (const [file, specifier] of accepted)
    test(`${file} may import ${specifier}`, () =>
      assert.deepEqual(boundaryProblems(folders, file, `import { x } from '${specifier}';`), []));

  const forms = [
    `import { x } from '../suites/x.ts'`,
    `import type { X } from '../suites/x.ts'`,
    `import '../suites/x.ts'`,
    `const x = await import('../suites/x.ts')`,
    `type X = import('../suites/x.ts').X`,
    `export { x } from "../suites/x.ts"`,
    `export * from '../suites/x.ts'`,
    `import {\n  x,\n  y,\n} from '../suites/x.ts'`,
  ];
  for (const form of forms)
    test(`no form of an import gets through: ${form.replaceAll('\n', ' ')}`, () =>
      assert.equal(boundaryProblems(folders, 'reference-server/a.ts', form).length, 1));

  test('a file belongs to the innermost folder', () => {
    assert.equal(folderOf(folders, 'suites/wire/session.ts')?.path, 'suites/wire');
    assert.equal(folderOf(folders, 'suites/judge-journal.ts')?.path, 'suites');
    assert.equal(folderOf(folders, 'playwright.config.ts'), undefined);
  });

  test('every folder imports only from folders that exist', () => {
    const known = new Set(folders.map(({ path }) => path));
    for (const { imports } of folders)
      if (imports !== 'all folders') for (const one of imports) assert.ok(known.has(one), one);
  });
});
