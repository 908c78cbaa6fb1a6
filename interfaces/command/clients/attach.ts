import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { shellWord } from '../../../kernel/basics/shell-word.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { Specification } from '../../../spec/specification.ts';
import { recordAttached } from '../../../suites/client/run/record-attached.ts';
import { freshKey } from '../../../suites/client/run/start-key.ts';
import { showProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { ClientRunSoFar } from './progress.ts';
import type { AttachedClientSettings } from './settings.ts';

const NO_STARTS = { starts: [], ifUnclear: [] };

/**
 * Serves a client that the user attaches, until Ctrl-C. The key is in a file that only this user can read, because
 * what a terminal shows is often kept.
 * @throws {UserError} when no request arrived, or the service cannot listen.
 */
export async function serveAttached(
  { client, address, product }: AttachedClientSettings,
  specification: Specification,
  path: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const key = process.env['PETSTORE_API_KEY'] || freshKey();
  const now = (): number => performance.now();
  const progress = showProgress(terminal, new ClientRunSoFar(NO_STARTS, now), now);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  try {
    const requests = await recordAttached(
      {
        where: client.where,
        spec: specification,
        product,
        key,
        host: address.host,
        port: address.port,
        onListening: (port) => {
          const target = address.targetAt(port);
          print(terminal, ...instructions(target, environmentFile(folder, target, key)));
        },
      },
      { path, observe: (line) => progress.observe(line), signal },
    );
    if (requests === 0) {
      throw new UserError(
        'The client sent no request, so nothing can be judged: attach it, then end with Ctrl-C.',
      );
    }
  } finally {
    progress.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function environmentFile(folder: string, target: string, key: string): string {
  const path = join(folder, 'client.env');
  const text = `export PETSTORE_TARGET=${shellWord(target)}\nexport PETSTORE_API_KEY=${shellWord(key)}\n`;
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const instructions = (target: string, file: string): readonly string[] => [
  `The service listens at ${target}. In another terminal, give your client its address and key:`,
  '',
  `  . ${shellWord(file)}`,
  '',
  'Let it send requests, one at a time; Ctrl-C here ends the run and writes the report.',
  '',
];
