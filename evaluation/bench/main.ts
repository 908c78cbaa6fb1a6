import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../reference-server/http/server.ts';
import { loadPlans } from '../../spec/plans.ts';
import { bundlePackage } from '../../tools/package/bundle.ts';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { measureJudging, measureJudgingLoad } from './judging.ts';
import { measureLoading } from './loading.ts';
import type { BenchRow } from './row.ts';
import { atMost, lineOf, mediansOf, rowOf } from './row.ts';
import { measureServing } from './serving.ts';

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

// npm run bench [-- NAME…]: one measurement after the other, because two at a time would
// disturb each other.

type Measure = () => Promise<readonly BenchRow[]>;

const measurements: Readonly<Record<string, Measure>> = {
  judging: measureJudging,
  quick: measureQuick,
  'judging-load': () => measureJudgingLoad({ keys: 2000, minutes: 10, runners: 4 }),
  serving: measureServing,
  loading: measureLoading,
};

/** Measured only where it is named: it writes 7 GB. */
const onRequest: Readonly<Record<string, Measure>> = {
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
  if (name === 'loading' && withoutK6 !== false) {
    console.error(`loading: ${withoutK6}`);
    process.exitCode = 2;
  } else for (const row of (await all[name]?.()) ?? []) console.log(lineOf(row));
}
