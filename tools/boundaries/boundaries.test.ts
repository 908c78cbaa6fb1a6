import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, test } from 'node:test';
import { boundaryProblems, folderOf, reachOf } from './boundaries.ts';
import { folders } from './folders.ts';

type Row = readonly [file: string, specifier: string, because: RegExp];

const rejected: readonly Row[] = [
  ['kernel/basics/a.ts', '../../spec/plans.ts', /every folder uses it/],
  ['kernel/exchanges/a.ts', '../rate-limits/series.ts', /suites and load both/],
  ['kernel/rate-limits/a.ts', 'undici', /pure/],
  ['suites/service/model/a.ts', '../wire/wire.ts', /without a network/],
  ['suites/service/wire/a.ts', '../probes/index.ts', /decides nothing/],
  ['suites/service/probes/a.ts', '../requirements/index.ts', /does not judge/],
  ['suites/service/requirements/a.ts', '../wire/session.ts', /never sends/],
  ['suites/service/judge-journal.ts', '../../reference-server/seams.ts', /cannot share a mistake/],
  ['reference-server/a.ts', './catalogue/find-entry.ts', /knows nothing of the catalogue/],
  ['reference-server/limiters/a.ts', '../../kernel/exchanges/headers.ts', /cannot share a mistake/],
  ['reference-server/catalogue/faults/a.ts', '../../../suites/service/judge-journal.ts', /must not know/],
  ['load/judging/a.ts', '../../suites/service/evidence/evidence.ts', /same arithmetic/],
  ['reports/html/a.ts', '../../suites/service/judge/judge.ts', /never judges/],
  ['load/k6/host.ts', './host.ts', /imports itself/],
  ['interfaces/command/a.ts', '../../evaluation/matrix/matrix.ts', /laboratory/],
];

describe('the boundaries between the folders', () => {
  for (const [file, specifier, because] of rejected)
    test(`${file} may not import ${specifier}`, () => {
      const [problem, ...more] = boundaryProblems(folders, file, `import { x } from '${specifier}';`);
      assert.match(problem ?? 'allowed', because);
      assert.deepEqual(more, []);
    });

  const forms = [
    `import { x } from '../suites/service/x.ts'`,
    `import type { X } from '../suites/service/x.ts'`,
    `import '../suites/service/x.ts'`,
    `const x = await import('../suites/service/x.ts')`,
    `type X = import('../suites/service/x.ts').X`,
    `export { x } from "../suites/service/x.ts"`,
    `export * from '../suites/service/x.ts'`,
    `import {\n  x,\n  y,\n} from '../suites/service/x.ts'`,
  ];
  for (const form of forms)
    test(`no form of an import gets through: ${form.replaceAll('\n', ' ')}`, () =>
      assert.equal(boundaryProblems(folders, 'reference-server/a.ts', form).length, 1));

  test('a file belongs to the innermost folder', () => {
    assert.equal(folderOf(folders, 'suites/service/wire/session.ts')?.path, 'suites/service/wire');
    assert.equal(folderOf(folders, 'suites/service/judge-journal.ts')?.path, 'suites/service');
    assert.equal(folderOf(folders, 'playwright.config.ts'), undefined);
  });

  test('every folder has a row in ARCHITECTURE.md, or in the README of the folder that it lies in', () => {
    const architecture = readFileSync('ARCHITECTURE.md', 'utf8');
    for (const { path } of folders) {
      const readme = `${dirname(path)}/README.md`;
      const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
      assert.ok(architecture.includes(`| \`${path}\` |`) || text.includes(`| \`${basename(path)}\` |`), path);
    }
  });

  test('every folder imports only from folders that exist', () => {
    const known = new Set(['everything', ...folders.map(({ path }) => path)]);
    for (const { imports } of folders) for (const one of imports) assert.ok(known.has(one), one);
  });
});

/** The lines that each command and interface reaches. A tenth more is a decision: say in the commit why, and state it here. */
const REACH: Readonly<Record<string, number>> = {
  'interfaces/command/certificate/attestation.ts': 37_400,
  'interfaces/command/clients/certify-client.ts': 34_600,
  'interfaces/command/certify/certify.ts': 37_000,
  'interfaces/command/reports/compare-runs.ts': 5900,
  'interfaces/handbook/page.ts': 31_100,
  'interfaces/command/init.ts': 3100,
  'interfaces/command/judge.ts': 36_300,
  'interfaces/command/load/load.ts': 32_300,
  'interfaces/command/load/manifests.ts': 19_100,
  // With --keys it verifies certificates and judges again, as verify does.
  'interfaces/command/reports/write-matrix.ts': 37_500,
  'interfaces/command/serve.ts': 10_000,
  'interfaces/command/clients/watch.ts': 34_400,
  'interfaces/library/index.ts': 32_000,
  'interfaces/playwright/index.ts': 33_700,
};

for (const [file, lines] of Object.entries(REACH)) {
  test(`${file} reaches about ${lines} lines`, () => {
    const found = reachOf(file);
    assert.ok(
      found <= 1.1 * lines,
      `${file} reaches ${found} lines: import what it needs where that stands.`,
    );
    assert.ok(found >= 0.9 * lines, `${file} reaches ${found} lines: state the new number.`);
  });
}
