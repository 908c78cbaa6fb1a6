import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import type { JSONReport, JSONReportSuite, JSONReportTest } from '@playwright/test/reporter';
import type { PetstoreOptions } from '../../../interfaces/options/table.ts';
import type { Verdict } from '../../../kernel/findings/record.ts';
import { inTemporaryFolder } from '../tools/folder.ts';
import { endOf, PLAYWRIGHT_INTERFACE } from './command.ts';

/** The result of the Playwright test of a requirement or an observation. */
export interface FaceTest {
  readonly id: string;
  /** The project of the configuration that it ran in. */
  readonly project: string;
  /** The spec file that shows it. */
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'did not run';
  /** Whether it fails the run: a failure can be expected. */
  readonly fails: boolean;
  readonly attempts: number;
  readonly annotations: JSONReportTest['annotations'];
  /** The error message without Playwright's prefix; empty if the test did not fail. */
  readonly error: string;
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
}

/** A run of Playwright, and the folder with everything that it wrote. */
interface FaceRun {
  readonly exitCode: number | null;
  readonly output: string;
  readonly folder: string;
  /** The path of the journal of its first project. */
  readonly journal: string;
  readonly tests: readonly FaceTest[];
  /** The test of each project that is about its run, and not about a requirement. */
  readonly runs: readonly FaceTest[];
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const playwright = fileURLToPath(new URL('../../../node_modules/@playwright/test/cli.js', import.meta.url));

/**
 * Runs Playwright with the configuration of this project and these variables added to a clean environment, calls `use`,
 * and then removes the folder of the run. Playwright compiles all sources: tests of what a user sees in one of their own
 * projects, `runProjects`, take half of the time.
 */
export const runFace = <T>(
  variables: Readonly<Record<string, string>>,
  use: (run: FaceRun) => T | Promise<T>,
): Promise<T> => inTemporaryFolder(async (folder) => use(await runPlaywright(folder, variables, [])));

/** A project of a configuration of Playwright. */
export interface FaceProject {
  readonly petstore: PetstoreOptions;
  /** The selected tests; by default all of them. */
  readonly grep?: RegExp;
  readonly trace?: 'on';
}

/** A spec file that declares the tests of the requirements. */
const SPEC = `import { conformance } from '${pathToFileURL(PLAYWRIGHT_INTERFACE.index).pathname}';
conformance();
`;

/**
 * Runs projects in one invocation, because a start of Playwright takes longer than their tests. Each has a folder of its
 * own for its reports, with its number as the name.
 */
export const runProjects = <T>(
  projects: Readonly<Record<string, FaceProject>>,
  variables: Readonly<Record<string, string>>,
  use: (run: FaceRun) => T | Promise<T>,
  interruptAt?: string,
): Promise<T> =>
  inTemporaryFolder(async (folder) => {
    const all = Object.entries(projects).map(([name, { petstore, grep, trace }], at) => {
      const uses = JSON.stringify({ petstore: { out: join(folder, `${at}`), ...petstore }, trace });
      return `{ name: ${JSON.stringify(name)}, use: ${uses}, grep: ${grep ?? /./} }`;
    });
    const reporters = [['list'], ['html', { open: 'never' }], [PLAYWRIGHT_INTERFACE.reporter]];
    const config = `{ workers: 2, reporter: ${JSON.stringify(reporters)}, projects: [${all.join(', ')}] }`;
    const path = join(folder, 'playwright.config.ts');
    await writeFile(path, `export default ${config};\n`);
    await writeFile(join(folder, 'petstore.spec.ts'), SPEC);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    return use(await runPlaywright(folder, variables, ['--config', path], { interruptAt }));
  });

/** Runs Playwright, which writes everything into this folder. @param how where it starts, and at which text it is interrupted. */
export async function runPlaywright(
  folder: string,
  variables: Readonly<Record<string, string>>,
  options: readonly string[],
  how: { readonly cwd?: string; readonly interruptAt?: string | undefined } = {},
): Promise<FaceRun> {
  const report = join(folder, 'report.json');
  const env = {
    ...cleanEnvironment(),
    PETSTORE_OUT: join(folder, '0'),
    PLAYWRIGHT_HTML_OUTPUT_DIR: join(folder, 'playwright-report'),
    // In addition to the reporters of the configuration, which `--reporter` would replace.
    PW_TEST_REPORTER: 'json',
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...variables,
  };
  const args = ['test', '--output', join(folder, 'test-results'), ...options];
  const { exitCode, output } = await run(args, env, how);
  const { suites } = JSON.parse(await readFile(report, 'utf8')) as JSONReport;
  const specs = suites.flatMap(specsOf);
  const testsOf = (ofRun: boolean) =>
    specs.filter(({ tags }) => tags.includes('run') === ofRun).flatMap(faceTests);
  const journal = join(folder, '0', 'journal.ndjson');
  return { exitCode, output, folder, journal, tests: testsOf(false), runs: testsOf(true) };
}

/** The verdict that the status and the annotations of a test show to a user. */
export function verdictOf({ status, error, annotations }: FaceTest): Verdict | 'did not run' {
  if (status === 'did not run') return status;
  if (status === 'skipped') return 'not-tested';
  if (status === 'failed') return error.startsWith('inconclusive\n') ? 'inconclusive' : 'fail';
  const types = annotations.map(({ type }) => type);
  if (types.includes('warn')) return 'warn';
  return types.includes('inconclusive') ? 'inconclusive' : 'pass';
}

/** The environment variables of this machine, without those that would change the run. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const excluded = /^(PETSTORE|PLAYWRIGHT|PW|NODE_TEST|GITHUB)_|^(CI|NODE_OPTIONS|FORCE_COLOR)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !excluded.test(name)));
}

async function run(
  options: readonly string[],
  env: NodeJS.ProcessEnv,
  { cwd = root, interruptAt }: { readonly cwd?: string; readonly interruptAt?: string | undefined },
): Promise<Pick<FaceRun, 'exitCode' | 'output'>> {
  const child = spawn(process.execPath, [playwright, ...options], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const interrupt = (text: string): void => {
    said += text;
    if (interruptAt === undefined || !said.includes(interruptAt)) return;
    child.stdout.off('data', interrupt);
    child.kill('SIGINT');
  };
  child.stdout.setEncoding('utf8').on('data', interrupt);
  const { code, printed } = await endOf(child);
  return { exitCode: code, output: printed };
}

const specsOf = ({ specs, suites = [] }: JSONReportSuite): JSONReportSuite['specs'] => [
  ...specs,
  ...suites.flatMap(specsOf),
];

const faceTests = ({ title, file, tests }: JSONReportSuite['specs'][number]): readonly FaceTest[] =>
  tests.map((test) => ({ ...faceTest(test), id: title.split(' ', 1)[0] ?? '', file }));

function faceTest(test: JSONReportTest): Omit<FaceTest, 'id' | 'file'> {
  const { annotations, results, expectedStatus, projectName } = test;
  const [result] = results;
  const isWithoutRun = annotations.some(({ type }) => type === 'no run');
  return {
    project: projectName,
    fails: test.status === 'unexpected',
    attempts: results.length,
    status:
      isWithoutRun && result?.status !== 'passed' ? 'did not run' : statusOf(result?.status, expectedStatus),
    annotations,
    error: (result?.error?.message ?? '').replace(/^Error: /, ''),
    attachments: (result?.attachments ?? []).map(({ name, body = '' }) => ({
      name,
      text: Buffer.from(body, 'base64').toString('utf8'),
    })),
  };
}

/** What Playwright left out after a failing hook is skipped without having been expected to be. */
function statusOf(status: string | undefined, expected: string): FaceTest['status'] {
  if (status === undefined || (status === 'skipped' && expected !== 'skipped')) return 'did not run';
  if (status === 'passed' || status === 'skipped') return status;
  return 'failed';
}

/** A file of a folder, or a file inside an archive; the path includes the archive. */
interface WrittenFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** A file, and those in the archive that it is or holds. */
export function unpacked(file: WrittenFile): readonly WrittenFile[] {
  if (file.path.endsWith('.zip')) return [file, ...entriesOf(file)];
  const packed = /data:application\/zip;base64,([A-Za-z0-9+/=]+)/.exec(file.bytes.toString('latin1'))?.[1];
  return packed === undefined
    ? [file]
    : [file, ...entriesOf({ ...file, bytes: Buffer.from(packed, 'base64') })];
}

const CENTRAL_ENTRY = Buffer.from('PK\u0001\u0002', 'latin1');

/** Reads the central directory of a ZIP file (APPNOTE 4.3.12), where sizes are known even of streamed entries. */
function entriesOf({ path, bytes }: WrittenFile): readonly WrittenFile[] {
  const entries: WrittenFile[] = [];
  for (let at = bytes.indexOf(CENTRAL_ENTRY); at >= 0; at = bytes.indexOf(CENTRAL_ENTRY, at + 1)) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const deflated = bytes.readUInt16LE(at + 10) === 8;
    entries.push({ path: `${path}!${name}`, bytes: deflated ? inflateRawSync(packed) : packed });
  }
  return entries;
}
