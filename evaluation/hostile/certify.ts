import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plansFile, run } from '../testing/cli/command.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import type { Attack, AttackedRun } from './attack.ts';

/** The key of every measured run. No file and no output may contain it. */
export const ATTACKED_KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';

const COST = fileURLToPath(new URL('preload/cost.js', import.meta.url));

/** A measured run, its exit code and its cost. */
export interface MeasuredRun extends AttackedRun {
  readonly code: number | null;
  /** The pattern that the last line of its errors must have. */
  readonly lastLine: RegExp | undefined;
  /** The peak memory and the CPU time of the command; undefined if it was killed. */
  readonly cost: { readonly megabytes: number; readonly cpuSeconds: number } | undefined;
}

/** Runs `certify` against the target of an attack, as a separate process. */
export async function certifyAttacker(t: TestContext, attack: Attack): Promise<MeasuredRun> {
  const cwd = temporaryFolder(t);
  const { target, args: furtherArgs = [], env = {}, lastLine, assertAfter } = await attack(t);
  const cost = join(cwd, 'cost');
  const args = ['certify', '--target', target, '--plans', plansFile(cwd, 1), '--out', 'run', ...furtherArgs];
  const { code, out, err } = await run(t, args, {
    cwd,
    env: {
      PETSTORE_API_KEY: ATTACKED_KEY,
      COST_FILE: cost,
      ...env,
      NODE_OPTIONS: [`--import=${COST}`, env['NODE_OPTIONS'] ?? ''].join(' '),
    },
  });
  const measured = {
    code,
    lastLine,
    out,
    err,
    files: filesIn(join(cwd, 'run')),
    cost: existsSync(cost) ? JSON.parse(readFileSync(cost, 'utf8')) : undefined,
  };
  assertAfter?.(measured);
  return measured;
}

function filesIn(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
