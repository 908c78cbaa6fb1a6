import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

// The walls between the rooms stand in biome.json. Here a small house is built
// in a temporary folder, every file of it with one import, and the linter is
// asked once which of them it refuses.

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

type Wall = readonly [file: string, imports: string];

const refused: readonly Wall[] = [
  ['spec/a.ts', '../suites/index.ts'],
  ['spec/deep/a.ts', '../../reference-server/index.ts'],
  ['spec/b.ts', '../reports/index.ts'],
  ['spec/c.ts', '../cli/run.ts'],
  ['spec/d.ts', '../load/profiles.ts'],
  ['spec/e.ts', '../tools/docs.ts'],
  ['suites/a.ts', '../reference-server/index.ts'],
  ['suites/wire/a.ts', '../../reference-server/limiters/gcra.ts'],
  ['suites/wire/b.ts', '../../reports/index.ts'],
  ['suites/b.ts', '../cli/run.ts'],
  ['suites/c.ts', '../load/profiles.ts'],
  ['suites/model/a.ts', '../wire/send.ts'],
  ['suites/model/b.ts', '../requirements/index.ts'],
  ['suites/model/c.ts', '../index.ts'],
  ['suites/model/d.ts', '../../reference-server/index.ts'],
  ['suites/model/e.ts', 'node:fs/promises'],
  ['suites/requirements/a.ts', '../wire/send.ts'],
  ['suites/requirements/b.ts', '../pacing/pacer.ts'],
  ['suites/requirements/c.ts', 'node:fs'],
  ['suites/requirements/d.ts', 'undici'],
  ['suites/requirements/e.ts', '../../reference-server/index.ts'],
  ['suites/evidence/a.ts', '../wire/send.ts'],
  ['suites/judge/a.ts', '../wire/send.ts'],
  ['words/a.ts', '../spec/plans.ts'],
  ['reports/a.ts', '../suites/index.ts'],
  ['reports/html/a.ts', '../../suites/wire/send.ts'],
  ['reports/b.ts', '../suites/requirements/index.ts'],
  ['reports/c.ts', '../reference-server/index.ts'],
  ['reports/d.ts', '../cli/run.ts'],
  ['reports/load/a.ts', '../../load/judging/judge.ts'],
  ['reference-server/a.ts', '../suites/index.ts'],
  ['reference-server/limiters/a.ts', '../../suites/model/exchange.ts'],
  ['reference-server/b.ts', '../reports/index.ts'],
  ['reference-server/c.ts', '../cli/run.ts'],
  ['reference-server/d.ts', '../catalogue/index.ts'],
  ['reference-server/limiters/b.ts', '../../catalogue/faults/index.ts'],
  ['catalogue/a.ts', '../suites/index.ts'],
  ['catalogue/faults/a.ts', '../../suites/model/exchange.ts'],
  ['suites/e.ts', '../catalogue/index.ts'],
  ['reports/e.ts', '../catalogue/index.ts'],
  ['load/d.ts', '../catalogue/index.ts'],
  ['load/a.ts', '../suites/index.ts'],
  ['load/judging/a.ts', '../../suites/wire/wire.ts'],
  ['load/judging/b.ts', '../../suites/judge/judge.ts'],
  ['load/profiles/a.ts', '../../reference-server/index.ts'],
  ['load/b.ts', '../reports/index.ts'],
  ['load/c.ts', '../cli/run.ts'],
  ['cli/a.ts', '../tools/docs.ts'],
  ['suites/d.ts', '../evaluation/over-http.ts'],
  ['rate-limits/a.ts', '../suites/wire/send.ts'],
  ['rate-limits/bounds/a.ts', '../../suites/model/journal.ts'],
  ['rate-limits/b.ts', '../load/model/sample.ts'],
  ['exchanges/a.ts', '../rate-limits/quota.ts'],
  ['exchanges/c.ts', 'node:fs'],
  ['rate-limits/c.ts', 'node:process'],
  ['exchanges/b.ts', '../suites/model/journal.ts'],
  ['load/judging/c.ts', '../../suites/model/record.ts'],
  ['suites/requirements/f.ts', '../run/record-run.ts'],
];

const allowed: readonly Wall[] = [
  ['spec/ok-a.ts', './register.ts'],
  ['spec/deep/ok-a.ts', '../plans.ts'],
  ['spec/ok-b.ts', '../words/user-error.ts'],
  ['reference-server/ok-b.ts', '../words/nearest.ts'],
  ['suites/ok-a.ts', '../spec/register.ts'],
  ['suites/wire/ok-a.ts', '../../exchanges/exchange.ts'],
  ['suites/wire/ok-b.ts', 'undici'],
  ['suites/model/ok-a.ts', '../../spec/register.ts'],
  ['suites/model/ok-b.ts', './exchange.ts'],
  ['suites/requirements/ok-a.ts', '../../exchanges/exchange.ts'],
  ['suites/requirements/ok-b.ts', '../evidence/evidence.ts'],
  ['suites/judge/ok-a.ts', '../requirements/index.ts'],
  ['suites/requirements/ok-d.ts', '../probes/index.ts'],
  ['suites/requirements/ok-c.ts', 'lossless-json'],
  ['reports/ok-a.ts', '../suites/model/record.ts'],
  ['reports/html/ok-a.ts', '../../suites/model/record.ts'],
  ['reports/ok-b.ts', '../spec/register.ts'],
  ['reports/load/ok-a.ts', '../../load/model/record.ts'],
  ['reports/html/ok-b.ts', '../json/write.ts'],
  ['reference-server/ok-a.ts', '../spec/plans.ts'],
  ['catalogue/faults/ok-a.ts', '../../reference-server/limiters/gcra.ts'],
  ['catalogue/ok-a.ts', '../reference-server/index.ts'],
  ['cli/ok-e.ts', '../catalogue/index.ts'],
  ['load/ok-a.ts', '../spec/plans.ts'],
  ['load/k6/ok-a.ts', '../profiles.ts'],
  ['load/script/ok-a.ts', '../../exchanges/headers.ts'],
  ['load/judging/ok-a.ts', '../../rate-limits/bounds/overrun.ts'],
  ['rate-limits/bounds/ok-a.ts', '../series/series.ts'],
  ['rate-limits/ok-a.ts', '../exchanges/exchange.ts'],
  ['exchanges/ok-a.ts', '../words/text.ts'],
  ['cli/ok-a.ts', '../suites/index.ts'],
  ['cli/ok-b.ts', '../reports/index.ts'],
  ['cli/ok-c.ts', '../reference-server/index.ts'],
  ['cli/ok-d.ts', '../load/run.ts'],
  ['suites/ok.test.ts', '../reference-server/index.ts'],
  ['reference-server/ok.spec.ts', '../suites/index.ts'],
  ['tools/ok-a.ts', '../reference-server/index.ts'],
  ['evaluation/bench/ok-a.ts', '../suites/index.ts'],
  ['evaluation/ok-a.ts', '../reference-server/index.ts'],
];

/** Every way to import that would carry code or types across. */
const waysToImport: Readonly<Record<string, string>> = {
  'value.ts': `import { x } from '../suites/x.ts';\nexport const y = x;\n`,
  'type.ts': `import type { X } from '../suites/x.ts';\nexport type Y = X;\n`,
  'effect.ts': `import '../suites/x.ts';\n`,
  'dynamic.ts': `export const y = await import('../suites/x.ts');\n`,
  'passing.ts': `export { x } from '../suites/x.ts';\n`,
  'passing-all.ts': `export * from '../suites/x.ts';\n`,
};

interface Report {
  readonly diagnostics: readonly { readonly message: string; readonly location: { readonly path: string } }[];
}

function lint(folder: string): Promise<Report> {
  const args = [
    biome,
    'lint',
    '--only=style/noRestrictedImports',
    '--reporter=json',
    '--max-diagnostics=none',
    '.',
  ];
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout, stderr) => {
      // A refusal is exit code 1 with a report on stdout; no report means that the linter did not run.
      const line = stdout.split('\n').find((text) => text.startsWith('{'));
      if (line === undefined) fail(new Error(`the linter gave no report: ${stderr}`));
      else done(JSON.parse(line));
    });
  });
}

describe('the walls between the rooms', () => {
  let folder = '';
  const messages = new Map<string, string>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'walls-'));
    for (const name of ['biome.json', '.gitignore', 'package.json']) {
      await copyFile(join(root, name), join(folder, name));
    }
    const files = new Map(
      Object.entries(waysToImport).map(([name, text]) => [`reference-server/by-${name}`, text]),
    );
    for (const [file, imports] of [...refused, ...allowed]) {
      files.set(file, `import { x } from '${imports}';\nexport const y = x;\n`);
    }
    for (const [file, text] of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    for (const { message, location } of (await lint(folder)).diagnostics)
      messages.set(location.path, message);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  for (const [file, imports] of refused) {
    it(`${file} may not import ${imports}`, () =>
      assert.match(messages.get(file) ?? 'allowed', /^Wall: .{30,}/));
  }
  for (const [file, imports] of allowed) {
    it(`${file} may import ${imports}`, () => assert.equal(messages.get(file), undefined));
  }
  for (const name of Object.keys(waysToImport)) {
    it(`a wall stops the way in ${name}`, () => {
      assert.match(messages.get(`reference-server/by-${name}`) ?? 'allowed', /^Wall: /);
    });
  }
});
