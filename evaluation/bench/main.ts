import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../kernel/basics/errors.ts';
import { findK6 } from '../../load/k6/find.ts';
import { startServer } from '../../reference-server/http/server.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { bundlePackage } from '../../tools/package/bundle.ts';
import { overHttpTo } from '../over-http.ts';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import { measureGrowth, measureJudging, measureJudgingLoad } from './judging.ts';
import { KEYS } from './reading/hostile-texts.ts';
import { redaction } from './reading/readers.ts';
import type { BenchRow } from './row.ts';
import { atMost, lineOf, mediansOf, rowOf } from './row.ts';
import { measureServing } from './serving.ts';

/** The most of a body that is read, in characters. */
const LONGEST_BODY = 5 * 1024 * 1024;

/** How many times as long the slowest key may take as an ordinary one. */
const MOST_TIMES_ORDINARY = 15;

const ORDINARY_KEY = 'an ordinary key' satisfies keyof typeof KEYS;

/** The longest body that is read, with the key that takes longest and with an ordinary one. It ends in the key, without which it would not be searched in full. */
function measureReading(): readonly BenchRow[] {
  const letters = 'a'.repeat(LONGEST_BODY);
  const seconds = Object.entries(KEYS).map(([name, key]) => {
    const read = redaction(key);
    const { user } = process.cpuUsage();
    read(`${letters}${key}`);
    return { name, seconds: (process.cpuUsage().user - user) / 1e6 };
  });
  const slowest = Math.max(...seconds.map((one) => one.seconds));
  const ordinary = seconds.find(({ name }) => name === ORDINARY_KEY)?.seconds ?? Number.NaN;
  const name = 'redaction of a body of 5 MiB of one letter and a key: slowest key / ordinary key';
  return [rowOf(name, [slowest, ordinary], atMost(MOST_TIMES_ORDINARY))];
}

const ROUNDS = 5;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Makes a program tell at its end what it used of a processor, in microseconds. */
const TELLING = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeSync(3,String(user+system))})`;

/** What the first command of a newcomer costs, installed from the package, beside a Node that does nothing. */
const measureQuick = () =>
  inTemporaryFolder(async (folder): Promise<readonly BenchRow[]> => {
    const server = await startServer({ plans: loadPlans() });
    try {
      await bundlePackage(join(folder, 'dist'));
      for (const path of ['cli', 'package.json'])
        cpSync(join(ROOT, path), join(folder, path), { recursive: true });
      const program = join(folder, 'cli/petstore-conformance.js');
      const options = ['--quick', '--target', server.baseUrl, '--out', join(folder, 'run')];
      const variables = { PETSTORE_API_KEY: server.keys.free[0] ?? '' };
      const { ours, node } = await mediansOf(ROUNDS, {
        ours: () => cpuSecondsOf([program, 'certify', ...options], variables),
        node: () => cpuSecondsOf(['-e', '0'], {}),
      });
      const name = 'certify --quick from the package: CPU time / start of Node alone';
      return [rowOf(name, [ours, node], atMost(9))];
    } finally {
      await server.close();
    }
  });

/** Seconds of a processor that Node used with these arguments. @throws {Error} when it does not end with 0. */
async function cpuSecondsOf(args: readonly string[], variables: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, ['--import', TELLING, ...args], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const told = text(child.stdio[3] as NodeJS.ReadableStream);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(code)}.`);
  return Number(await told) / 1e6;
}

/** A run takes the window that it has to wait for, and this much more of it at most. */
const MOST_WINDOWS = 1.05;

/** Certifies the reference server with the real window of a minute. Takes that minute. */
async function measureCertifying(): Promise<readonly BenchRow[]> {
  const plans = loadPlans();
  const { record, seconds } = await overHttpTo({ plans });
  if (record.outcome !== 'conforms') throw new Error(`The outcome of the run is "${record.outcome}".`);
  const times = [seconds, limitsOf(plans, 'free').minuteSeconds] as const;
  return [rowOf('certification run: duration / window of the limit', times, atMost(MOST_WINDOWS))];
}

// npm run bench [-- NAME…]: one measurement after the other, because two at a time would
// disturb each other.

type Measure = () => Promise<readonly BenchRow[]>;

const measurements: Readonly<Record<string, Measure>> = {
  judging: () => measureJudging({ exchanges: 100_000, rounds: 3, timeRatio: 3, memoryRatio: 1.5 }),
  growing: () => measureGrowth(5000),
  quick: measureQuick,
  'judging-load': () => measureJudgingLoad({ keys: 2000, minutes: 10, runners: 4 }),
  reading: async () => measureReading(),
  serving: measureServing,
  loading: async () => {
    const k6 = await providedK6();
    // Its imports look for k6, too, and have no message for a user who has none.
    const { measureLoading } = await import('./loading.ts');
    return measureLoading(k6);
  },
  certifying: measureCertifying,
};

/** Measured only where they are named: `npm run bench -- million` writes 2.5 GB, `ten-million` 7 GB. */
const onRequest: Readonly<Record<string, Measure>> = {
  million: () => measureJudging({ exchanges: 1_000_000, rounds: 1, timeRatio: 4, memoryRatio: 0.75 }),
  'ten-million': () => measureJudgingLoad({ keys: 10_000, minutes: 19, runners: 4 }),
};

const all = { ...measurements, ...onRequest };
const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  console.error(
    `There is no measurement "${unknown.join('", "')}". Name any of: ${Object.keys(all).join(', ')}.`,
  );
  process.exit(2);
}
for (const name of names.length > 0 ? names : Object.keys(measurements)) {
  try {
    for (const row of (await all[name]?.()) ?? []) console.log(lineOf(row));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`${name}: ${error.message}`);
    process.exitCode = 2;
  }
}

/**
 * The path of a k6, which is installed where it is missing.
 * @throws {UserError} where there is none and none can be installed.
 */
async function providedK6(): Promise<string> {
  const k6 = await findK6({ report: (line) => console.log(`  … ${line}`) });
  if (k6.kind === 'missing') {
    throw new UserError(`this measurement needs k6, which is missing and cannot be installed. ${k6.advice}`);
  }
  return k6.path;
}
