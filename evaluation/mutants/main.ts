import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesEndingIn } from '../../tools/project-files.ts';
import { groupModule, quickOf } from '../../tools/test-groups.ts';
import { commandArguments } from '../study.ts';
import { seededBy } from '../testing/suites/limiters.ts';
import type { Mutation } from './mutations.ts';
import { mutationsOf } from './mutations.ts';

/** The folders whose mutants must die by the quick tests beside them, and where these are. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  requirements: ['suites/service/requirements'],
  evidence: ['suites/service/evidence', 'suites/service/judge'],
  bounds: ['kernel/rate-limits'],
  probes: ['suites/service/probes', 'suites/service/run'],
  clients: ['suites/client/judging'],
  load: ['load/judging', 'load/compare'],
  secrets: ['kernel/recording/redaction', 'interfaces/certificate'],
};

/** Where other tests are that show what an area decides: evidence is read by requirements alone. */
const TESTED_IN: Readonly<Record<string, readonly string[]>> = { evidence: ['suites/service/requirements'] };

const USAGE = `npm run evaluate -- mutants [AREA… --sample N --seed TEXT]

Changes one place of the product at a time, at random, and runs the quick tests beside it:
those in the folder of the file, then those of the area. Areas: ${Object.keys(AREAS).join(', ')}.
--sample is the number of mutants of each area (20), --seed what selects them (the date).
A mutant that survives is equivalent, changes a text or a bound alone, or shows a missing row.`;

const today = new Date().toISOString().slice(0, 10);
const { options, names } = commandArguments(USAGE, { sample: '20', seed: today }, (name) =>
  Object.hasOwn(AREAS, name),
);
const { sample, seed } = options;
console.log(`Seed: ${seed}`);

const root = process.cwd();
const all = filesEndingIn(root, '.ts');
const copy = copyOfTree();
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));

for (const area of names.length === 0 ? Object.keys(AREAS) : names) await mutateArea(area);

/** Plants a sample of mutants of an area, one after another, and prints those that survive. */
async function mutateArea(area: string): Promise<void> {
  const liesIn = (folders: readonly string[]) =>
    all.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
  const folders = AREAS[area] ?? [];
  const inArea = liesIn(folders);
  const tests = quickOf(
    liesIn([...folders, ...(TESTED_IN[area] ?? [])]).filter((file) => file.endsWith('.test.ts')),
  );
  const began = performance.now();
  if (!(await passes(tests, 600_000))) throw new Error(`The quick tests of ${area} fail without a mutant.`);
  const timeoutMs = Math.ceil(20_000 + 5 * (performance.now() - began));
  const random = seededBy(`${seed} ${area}`);
  const mutants = inArea
    .filter((file) => !/\.(test|rows)\.ts$/.test(file))
    .flatMap((file) => mutationsOf(file, readFileSync(file, 'utf8')).map((mutation) => ({ file, mutation })));
  const drawn = mutants.map((one) => ({ ...one, at: random() })).sort((a, b) => a.at - b.at);
  const chosen = drawn.slice(0, Number(sample));
  let dead = 0;
  for (const { file, mutation } of chosen) {
    if (await survives(file, mutation, tests, timeoutMs))
      console.log(`  survives: ${file}:${mutation.line}  ${mutation.what}`);
    else dead += 1;
  }
  console.log(`${area}: ${dead} of ${chosen.length} died (${mutants.length} places)`);
}

async function survives(
  file: string,
  { start, end, with: text }: Mutation,
  tests: readonly string[],
  timeoutMs: number,
): Promise<boolean> {
  const source = readFileSync(file, 'utf8');
  writeFileSync(join(copy, file), source.slice(0, start) + text + source.slice(end));
  try {
    for (const group of nearestFirst(tests, file)) if (!(await passes(group, timeoutMs))) return false;
    return true;
  } finally {
    writeFileSync(join(copy, file), source);
  }
}

/** The tests in groups, those first that likely find a mutant of a file: named like it or its folder, then beside it. */
function nearestFirst(tests: readonly string[], file: string): readonly (readonly string[])[] {
  const distance = (test: string): number => {
    if (test === file.replace(/ts$/, 'test.ts') || test === `${dirname(file)}.test.ts`) return 0;
    return dirname(test) === dirname(file) ? 1 : 2;
  };
  return [0, 1, 2]
    .map((far) => tests.filter((test) => distance(test) === far))
    .filter((group) => group.length > 0);
}

/** Whether these tests pass in the copy, until the first that fails. A mutant that never ends is found, too. */
function passes(tests: readonly string[], timeoutMs: number): Promise<boolean> {
  const group = join(copy, 'mutant-tests.mjs');
  writeFileSync(
    group,
    groupModule(tests, (file) => join(copy, file)),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        ...['--test-reporter=tap', '--import', 'tsx'],
        ...['--import', './evaluation/testing/tools/seeded.ts', group],
      ],
      {
        cwd: copy,
        env: { ...process.env, TEST_SAMPLE: 'all' },
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
      },
    );
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (/^ *not ok/m.test(text)) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** A copy of the project to change, so that a run that is killed leaves no mutant behind. */
function copyOfTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mutants-'));
  for (const file of filesEndingIn(root, '')) cpSync(file, join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
