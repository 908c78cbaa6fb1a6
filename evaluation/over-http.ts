import { readFileSync } from 'node:fs';
import type { Plans } from '../spec/plans.ts';
import { limitsOf } from '../spec/plans.ts';
import type { Specification } from '../spec/specification.ts';
import { loadSpecification } from '../spec/specification.ts';
import type { JournalLine, Keys, RunRecord, SessionOptions } from '../suites/index.ts';
import {
  basePath,
  HttpWire,
  judge,
  planRun,
  probes,
  recordRun,
  systemClock,
  TargetLostError,
  WrongTargetError,
} from '../suites/index.ts';
import { SUITE } from '../suites/inputs/suite.ts';
import { JOURNAL_BODY_BYTES } from '../suites/wire/body-recorder.ts';

/** What to examine over real sockets, in this process. */
export interface HttpRun {
  /** For example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly plans: Plans;
  /** The plan of the examined key; Free unless said otherwise. */
  readonly plan?: string;
  readonly keys: Keys;
  readonly extraHeaders?: SessionOptions['extraHeaders'];
  /** A PEM file of a certificate authority to trust. */
  readonly caFile?: string;
}

/** The record of a run, what it rests on, and how long it took. */
export interface HttpResult {
  readonly lines: readonly JournalLine[];
  readonly record: RunRecord;
  /** Keyed requests that the plan announced. */
  readonly planned: number;
  /** From the first line of the journal to the last, in seconds of the monotonic clock. */
  readonly seconds: number;
  /** How long judging took, in seconds. */
  readonly judging: number;
}

let specification: Promise<Specification> | undefined;

/** Longer than any answer of a target on this machine takes. */
const REQUEST_MS = 20_000;

/** Examines a target as `certify` does, and judges what was recorded. A target that is lost midway is judged as far as it went. */
export async function overHttp(run: HttpRun): Promise<HttpResult> {
  specification ??= loadSpecification();
  const { version, digest } = await specification;
  const plan = run.plan ?? 'free';
  const limits = limitsOf(run.plans, plan);
  const baseUrl = new URL(run.baseUrl);
  const lines: JournalLine[] = [];
  const started = performance.now();
  const runPlan = planRun(probes, {
    tag: Math.random().toString(36).slice(2, 10),
    plan,
    limits,
    otherKey: run.keys.other !== undefined,
    exhaustedKey: run.keys.exhausted !== undefined,
    disposableKey: false,
    exclusiveKey: false,
    openapi: undefined,
    furtherPlans: [],
  });
  const wire = new HttpWire({
    baseUrl,
    clock: systemClock,
    requestMs: REQUEST_MS,
    bodyBytes: JOURNAL_BODY_BYTES,
    proxied: false,
    ...(run.caFile === undefined ? {} : { ca: readFileSync(run.caFile, 'utf8') }),
  });
  const head = {
    suite: SUITE,
    spec: { version, digest },
    target: { baseUrl: run.baseUrl, plan },
    furtherPlans: {},
  };
  const options: SessionOptions = {
    wire,
    clock: systemClock,
    journal: { append: (line) => void lines.push(line) },
    keys: run.keys,
    limits,
    basePath: basePath(baseUrl),
    ...(run.extraHeaders === undefined ? {} : { extraHeaders: run.extraHeaders }),
  };
  try {
    await recordRun(runPlan, head, options);
  } catch (error) {
    if (!(error instanceof TargetLostError || error instanceof WrongTargetError)) throw error;
  }
  const finished = performance.now();
  const record = judge({ lines, damage: [] }, await specification, { strict: false });
  return {
    lines,
    record,
    planned: runPlan.total.withKey,
    seconds: (finished - started) / 1000,
    judging: (performance.now() - finished) / 1000,
  };
}
