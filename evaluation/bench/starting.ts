import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import { listenOnLoopback } from '../third-party/apps/app.ts';
import { K6_SCRIPTS } from './k6/run-script.ts';
import type { BenchRow } from './row.ts';
import { atMost, mediansOf, rowOf } from './row.ts';

const ROUNDS = 5;

const COMMAND = fileURLToPath(new URL('../../cli/petstore-conformance.js', import.meta.url));

/**
 * How long a load run takes until its first request, beside its two programs alone: the
 * command, which prints its help, and k6, which sends one request.
 */
export async function measureStart(k6: string): Promise<BenchRow> {
  const { ours, parts } = await mediansOf(ROUNDS, {
    ours: () => secondsToFirstRequest(commandLoading(k6)),
    parts: async () => (await secondsOfHelp()) + (await secondsToFirstRequest(k6Alone(k6))),
  });
  const name = 'start of a load run to its first request / --help, and k6 alone';
  return rowOf(name, [ours, parts], atMost(2));
}

async function secondsOfHelp(): Promise<number> {
  const before = performance.now();
  await once(spawn(process.execPath, [COMMAND, '--help'], { stdio: 'ignore' }), 'close');
  return (performance.now() - before) / 1000;
}

/** How to start a program that sends a request to this address, and may write into this folder. */
type Start = (
  baseUrl: string,
  folder: string,
) => {
  readonly program: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
};

const KEY = 'bench-key-000001';

const commandLoading =
  (k6: string): Start =>
  (baseUrl, folder) => ({
    program: process.execPath,
    args: [COMMAND, 'load', 'smoke', '--target', baseUrl, '--out', folder],
    variables: { K6_BIN: k6, PETSTORE_API_KEY: KEY },
  });

const k6Alone =
  (k6: string): Start =>
  (baseUrl) => ({
    program: k6,
    args: ['run', '--quiet', '--no-usage-report', K6_SCRIPTS.bare],
    variables: { TARGET: baseUrl, PETSTORE_API_KEY: KEY, REQUESTS: '1', CONCURRENCY: '1' },
  });

const secondsToFirstRequest = (start: Start): Promise<number> =>
  inTemporaryFolder(async (folder) => {
    let arrived = Number.NaN;
    const { baseUrl, close } = await listenOnLoopback(
      createServer((_, response) => {
        if (Number.isNaN(arrived)) arrived = performance.now();
        response.writeHead(401).end();
      }),
    );
    const { program, args, variables } = start(baseUrl, folder);
    try {
      const before = performance.now();
      const child = spawn(program, args, { env: { ...process.env, ...variables }, stdio: 'ignore' });
      await once(child, 'close');
      if (Number.isNaN(arrived)) throw new Error(`${program} sent no request.`);
      return (arrived - before) / 1000;
    } finally {
      await close();
    }
  });
