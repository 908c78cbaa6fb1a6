import { PARAMETERS } from '../interfaces/options/command-line.ts';
import type { ServerOptions } from '../reference-server/http/server.ts';
import { startServer } from '../reference-server/http/server.ts';
import type { Plans } from '../spec/plans.ts';
import { loadPlans } from '../spec/plans.ts';
import { loadSpecification } from '../spec/specification.ts';
import { readCertificateAuthority } from '../suites/service/inputs/tls-advice.ts';
import { judge } from '../suites/service/judge/judge.ts';
import type { JournalLine } from '../suites/service/model/journal.ts';
import { TargetLostError } from '../suites/service/pacing/transport.ts';
import { WrongTargetError } from '../suites/service/run/record-run.ts';
import { recordOverHttp } from '../suites/service/run/record-to-file.ts';
import type { RunOptions, TargetAccess } from '../suites/service/run/run-settings.ts';
import { settleRun } from '../suites/service/run/run-settings.ts';
import type { Keys } from '../suites/service/wire/keyring.ts';
import { furtherKeysIn } from '../suites/service/wire/keyring.ts';

/** What to test over real sockets, in this process, and how. */
export interface HttpRun extends RunOptions {
  /** For example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly plans: Plans;
  readonly keys: Keys;
  readonly extraHeaders?: TargetAccess['headers'];
  /** A PEM file of a certificate authority to trust. */
  readonly caFile?: string;
}

/** The plans of the specification, with a window of this many seconds instead of a minute. */
export const plansOf = (minuteSeconds: number): Plans => ({ ...loadPlans(), minuteSeconds });

const specification = await loadSpecification();

/** Runs against a target as `certify` does, and judges the journal. A target that stops responding is judged by the exchanges before that. @returns how long it was recorded, too, in seconds of the monotonic clock. */
export async function overHttp(run: HttpRun) {
  const lines: JournalLine[] = [];
  const started = performance.now();
  const { plans, keys } = run;
  const settled = settleRun(run, { plans, furtherKeys: furtherKeysIn(keys), names: PARAMETERS });
  const settings = { ...settled, target: accessTo(run), specification };
  try {
    await recordOverHttp(settings, { journal: { append: (line) => void lines.push(line) } });
  } catch (error) {
    if (!(error instanceof TargetLostError || error instanceof WrongTargetError)) throw error;
  }
  const seconds = (performance.now() - started) / 1000;
  const record = judge({ lines, damage: [] }, specification, { strict: false });
  return { lines, record, seconds };
}

/** Runs against the reference server with these options, whose keys are of the plan Free, and stops it. */
export async function overHttpTo(options: ServerOptions, run: Partial<HttpRun> = {}) {
  const server = await startServer(options);
  try {
    const [key = '', other = ''] = server.keys.free;
    const keys = { key, other, exhausted: server.keys.exhausted[0] ?? '' };
    return await overHttp({ baseUrl: server.baseUrl, plans: options.plans, keys, ...run });
  } finally {
    await server.close();
  }
}

const accessTo = ({ baseUrl, keys, extraHeaders = [], caFile }: HttpRun): TargetAccess => ({
  baseUrl: new URL(baseUrl),
  keys,
  certificateAuthority: caFile === undefined ? undefined : readCertificateAuthority(caFile),
  headers: extraHeaders,
  proxied: false,
});
