import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadRecord } from '../../../kernel/findings/record.ts';
import type { ProfileId } from '../../../load/profiles/index.ts';
import { endOf } from '../../testing/cli/command.ts';
import { inTemporaryFolder } from '../../testing/tools/folder.ts';
import { verdictsOf } from '../breaks/break.ts';
import type { Program } from '../service.ts';
import { KEYS as SERVICE_KEYS, startService } from '../service.ts';
import { conditionsOf } from './faults.ts';
import type { LoadRun } from './tables.ts';

const COMMAND = fileURLToPath(new URL('../../../cli/petstore-conformance.js', import.meta.url));

/** The keys that a service knows. */
const KEYS = Object.values(SERVICE_KEYS);

/** The longest that a run may take, in milliseconds: one whose requests hang included. */
const DEADLINE_MS = 180_000;

/** Starts a service with a fault, loads it once with the real command, stops it, and returns the verdicts. @throws {Error} where the command leaves no report. */
export const loadService = (program: Program, profile: ProfileId, fault: string): Promise<LoadRun> =>
  inTemporaryFolder(async (folder) => {
    const { minuteSeconds, daySeconds, perMinute, perDay, larger } = conditionsOf(profile);
    const settings = {
      KEYS: KEYS.join(','),
      PER_MINUTE: String(perMinute),
      PER_DAY: String(perDay),
      DAY_SECONDS: String(daySeconds),
      ...(larger === undefined
        ? {}
        : { LARGER_KEYS: KEYS.slice(1).join(','), LARGER_PER_MINUTE: String(larger) }),
    };
    const running = await startService(program, { broken: fault, minuteSeconds, settings });
    try {
      const plans = {
        minuteSeconds,
        daySeconds,
        plans: { free: { perMinute, perDay }, larger: { perMinute: larger ?? perMinute, perDay } },
      };
      await writeFile(join(folder, 'plans.json'), JSON.stringify(plans));
      await writeFile(
        join(folder, 'keys.csv'),
        KEYS.map((key, at) => `${key},${at === 0 ? 'free' : 'larger'}\n`).join(''),
      );
      const said = await runCommand(profile, running.baseUrl, folder);
      const report = await readFile(join(folder, 'run', 'report.json'), 'utf8').catch(() => undefined);
      if (report === undefined) throw new Error(`${profile} left no report (${fault}): ${said}`);
      return runOf(JSON.parse(report));
    } finally {
      await running.stop();
    }
  });

/** Runs `load` until it ends. @returns the end of what it wrote to its error output. */
async function runCommand(profile: ProfileId, baseUrl: string, folder: string): Promise<string> {
  const { fleet, options, larger } = conditionsOf(profile);
  const files = ['--plans', join(folder, 'plans.json'), '--out', join(folder, 'run')];
  const mixed = larger === undefined ? [] : ['--keys-file', join(folder, 'keys.csv')];
  // The keys are those of this run alone.
  const target = ['--target', baseUrl, '--exclusive-key', ...files];
  const child = spawn(process.execPath, [COMMAND, 'load', profile, ...target, ...mixed, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: DEADLINE_MS,
    env: {
      ...process.env,
      PETSTORE_API_KEY: KEYS[0],
      PETSTORE_OTHER_KEY: profile === 'isolation' ? KEYS[1] : '',
      PETSTORE_DISPOSABLE_KEY: KEYS[2],
      PETSTORE_API_KEYS: KEYS.slice(1, Math.max(1, fleet)).join(' '),
    },
  });
  return (await endOf(child)).printed.slice(-500);
}

function runOf(record: LoadRecord): LoadRun {
  const { outcome, requirements } = record;
  const { fails, inconclusive } = verdictsOf(record);
  const open = requirements.filter(({ verdict }) => verdict !== 'pass');
  return { outcome, fails, inconclusive, because: open.map(({ id, because }) => `${id}: ${because}`) };
}
