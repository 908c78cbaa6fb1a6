import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningService } from './service.ts';
import { KEYS } from './service.ts';

/** What a certificate of a service said. */
export interface Certificate {
  /** `no verdict` where the command ended with exit code 2. */
  readonly outcome: string;
  readonly fails: readonly string[];
  readonly warns: readonly string[];
  readonly inconclusive: readonly string[];
  /** Requests with the key under test and in all. */
  readonly keyed: number;
  readonly requests: number;
}

const COMMAND = fileURLToPath(new URL('../../cli/petstore-conformance.js', import.meta.url));

/** Runs `certify` as a user would, with a plan file, the key of another caller and one of an exhausted day. */
export async function certifyService(
  { baseUrl, scratch }: RunningService,
  minuteSeconds: number,
): Promise<Certificate> {
  const [plans, out] = [join(scratch, 'plans.json'), join(scratch, 'out')];
  const limits = { free: { perMinute: 60, perDay: 1000 } };
  await writeFile(plans, JSON.stringify({ minuteSeconds, daySeconds: 86_400, plans: limits }));
  const code = await run(
    ['certify', '--target', baseUrl, '--plans', plans, '--exhausted-key-env', 'EXHAUSTED', '--out', out],
    {
      ...process.env,
      PETSTORE_API_KEY: KEYS.key,
      PETSTORE_OTHER_KEY: KEYS.other,
      EXHAUSTED: KEYS.exhausted,
      XDG_STATE_HOME: scratch,
      XDG_DATA_HOME: scratch,
    },
  );
  if (code === 2)
    return { outcome: 'no verdict', fails: [], warns: [], inconclusive: [], keyed: 0, requests: 0 };
  return certificateIn(await readFile(join(out, 'report.json'), 'utf8'));
}

function certificateIn(report: string): Certificate {
  const { outcome, requests, requirements } = JSON.parse(report) as Report;
  const withVerdict = (verdict: string): readonly string[] =>
    requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);
  return {
    outcome,
    fails: withVerdict('fail'),
    warns: withVerdict('warn'),
    inconclusive: withVerdict('inconclusive'),
    keyed: requests.keyed,
    requests: requests.total,
  };
}

interface Report {
  readonly outcome: string;
  readonly requests: { readonly total: number; readonly keyed: number };
  readonly requirements: readonly { readonly id: string; readonly verdict: string }[];
}

const run = (command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [COMMAND, ...command],
      { env, timeout: 300_000, maxBuffer: 1 << 26 },
      (error) => resolve(exitCodeOf(error)),
    );
  });

/** 2, as for a run that was not possible, where the command was stopped. */
function exitCodeOf(error: { readonly code?: number | string | null | undefined } | null): number {
  if (error === null) return 0;
  return typeof error.code === 'number' ? error.code : 2;
}
