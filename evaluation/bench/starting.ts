import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import { listenOnLoopback } from '../third-party/apps/app.ts';
import { K6_SCRIPTS } from './k6/run-script.ts';
import type { BenchRow } from './row.ts';
import { atMost, mediansOf, rowOf } from './row.ts';

const ROUNDS = 5;

const COMMAND = fileURLToPath(new URL('../../cli/petstore-conformance.js', import.meta.url));

const KEY = { PETSTORE_API_KEY: 'bench-key-000001' };

/**
 * How long a load run takes until its first request, beside its two programs alone: the
 * command, which prints its help, and k6, which sends one request.
 */
export const measureStart = (k6: string): Promise<BenchRow> =>
  inTemporaryFolder(async (folder) => {
    let arrived = Number.NaN;
    const { baseUrl, close } = await listenOnLoopback(
      createServer((_, response) => {
        if (Number.isNaN(arrived)) arrived = performance.now();
        response.writeHead(401).end();
      }),
    );
    /** Seconds from the start of a program to its end. */
    const secondsOf = async (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
      const before = performance.now();
      await once(spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' }), 'close');
      return (performance.now() - before) / 1000;
    };
    /** The same, to its first request. */
    const secondsToRequest = async (...program: Parameters<typeof secondsOf>): Promise<number> => {
      const before = performance.now();
      arrived = Number.NaN;
      await secondsOf(...program);
      if (Number.isNaN(arrived)) throw new Error(`${program[0]} sent no request.`);
      return (arrived - before) / 1000;
    };
    let runs = 0;
    const load = (): readonly string[] => {
      runs += 1;
      return [COMMAND, 'load', 'smoke', '--target', baseUrl, '--out', join(folder, String(runs))];
    };
    const alone = ['run', '--quiet', '--no-usage-report', K6_SCRIPTS.bare];
    const oneRequest = { ...KEY, TARGET: baseUrl, REQUESTS: '1', CONCURRENCY: '1' };
    try {
      const { ours, parts } = await mediansOf(ROUNDS, {
        ours: () => secondsToRequest(process.execPath, load(), { ...KEY, K6_BIN: k6 }),
        parts: async () =>
          (await secondsOf(process.execPath, [COMMAND, '--help'])) +
          (await secondsToRequest(k6, alone, oneRequest)),
      });
      const name = 'start of a load run to its first request / --help, and k6 alone';
      return rowOf(name, [ours, parts], atMost(2));
    } finally {
      await close();
    }
  });
