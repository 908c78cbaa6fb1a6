import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plansFile, run } from '../testing/cli/command.ts';
import type { Attack, AttackedRun } from './attack.ts';
import { stageOf } from './stage.ts';

/** The key of every attacked run; it must be found nowhere but on the wire. */
export const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';

const COST = fileURLToPath(new URL('preload/cost.js', import.meta.url));

/** An attacked run and what it cost. */
export interface Attacked extends AttackedRun {
  readonly code: number | null;
  /** The most memory that the command held, and the time of a processor that it took; undefined when it was killed. */
  readonly cost: { readonly megabytes: number; readonly cpuSeconds: number } | undefined;
}

/** Runs `certify` as a process of its own against the attack's target. */
export async function recordRun(t: TestContext, attack: Attack): Promise<Attacked> {
  const stage = stageOf(t);
  const { target, more = [], env = {}, afterwards } = await attack.stage(stage);
  const cost = join(stage.folder, 'cost');
  const args = [
    'certify',
    '--target',
    target,
    '--plans',
    plansFile(stage.folder, 1),
    '--out',
    'run',
    ...more,
  ];
  const { code, out, err } = await run(t, args, {
    cwd: stage.folder,
    env: {
      PETSTORE_API_KEY: KEY,
      COST_FILE: cost,
      ...env,
      NODE_OPTIONS: [`--import=${COST}`, env['NODE_OPTIONS'] ?? ''].join(' '),
    },
  });
  const attacked = {
    code,
    out,
    err,
    files: filesIn(join(stage.folder, 'run')),
    cost: existsSync(cost) ? JSON.parse(readFileSync(cost, 'utf8')) : undefined,
  };
  afterwards?.(attacked);
  return attacked;
}

function filesIn(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
