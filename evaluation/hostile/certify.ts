import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plansFile, run, temporaryFolder } from '../testing/cli/command.ts';
import { rawServer } from '../testing/suites/raw-server.ts';
import type { Attack, AttackedRun, AttackSetup } from './attack.ts';

/** The key of every measured run. No file and no output may contain it. */
export const ATTACKED_KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';

const COST = fileURLToPath(new URL('preload/cost.js', import.meta.url));

/** An measured run, its exit code and its cost. */
export interface MeasuredRun extends AttackedRun {
  readonly code: number | null;
  /** The peak memory and the CPU time of the command; undefined if it was killed. */
  readonly cost: { readonly megabytes: number; readonly cpuSeconds: number } | undefined;
}

/** Runs `certify` against the target of an attack, as a separate process. */
export async function certifyAttacker(t: TestContext, attack: Attack): Promise<MeasuredRun> {
  const setup = attackSetup(t);
  const { target, args: furtherArgs = [], env = {}, assertAfter } = await attack.start(setup);
  const cost = join(setup.folder, 'cost');
  const args = [
    'certify',
    '--target',
    target,
    '--plans',
    plansFile(setup.folder, 1),
    '--out',
    'run',
    ...furtherArgs,
  ];
  const { code, out, err } = await run(t, args, {
    cwd: setup.folder,
    env: {
      PETSTORE_API_KEY: ATTACKED_KEY,
      COST_FILE: cost,
      ...env,
      NODE_OPTIONS: [`--import=${COST}`, env['NODE_OPTIONS'] ?? ''].join(' '),
    },
  });
  const measured = {
    code,
    out,
    err,
    files: filesIn(join(setup.folder, 'run')),
    cost: existsSync(cost) ? JSON.parse(readFileSync(cost, 'utf8')) : undefined,
  };
  assertAfter?.(measured);
  return measured;
}

function filesIn(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** The setup of one attack, bound to its test. */
function attackSetup(t: TestContext): AttackSetup {
  return {
    folder: temporaryFolder(t),
    async raw(respond) {
      const server = await rawServer(respond);
      t.after(() => server[Symbol.asyncDispose]());
      return server;
    },
    async tls(identity, listener) {
      const server = createServer(identity, listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.after(() => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      });
      return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}
