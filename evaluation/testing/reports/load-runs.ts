import { findingOf } from '../../../kernel/findings/finding.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import type { LoadPhase } from '../../../kernel/findings/load.ts';
import type { Finding, LoadRecord } from '../../../kernel/findings/record.ts';
import type { Sample, Trace } from '../../../load/model/sample.ts';

/** The start of these runs, 2026-11-21 10:00:00 UTC, in milliseconds since the Unix epoch. */
const START = Date.UTC(2026, 10, 21, 10);

/** A synthetic load run with its samples. */
export interface LoadResult {
  readonly record: LoadRecord;
  readonly trace: Trace;
}

/** A finding of a load run; `text` is what the verdict rests on. */
export function loadFindingOf(
  id: Finding['id'],
  verdict: 'pass' | 'fail' | 'inconclusive',
  text: string,
): Finding {
  const entry = { id, level: 'MUST', chapter: 'Load', sentence: `The expectation ${id}.` } as const;
  const found = {
    pass: pass(text),
    fail: fail({ expected: 'something else', received: text }),
    inconclusive: inconclusive(text),
  }[verdict];
  return findingOf(entry, found, { whyItMatters: 'It matters.' }, undefined);
}

const TWENTIETHS = { twentieths: Array.from({ length: 19 }, (_, at) => 8 + 3 * at) };

const digestOf = (digit: string): string => `sha256:${digit.repeat(64)}`;

/** Sixty accepted requests, one rate-limited, one without a response, and a wait; `text` stands for every text that a target can choose. */
export function loadRun(text = 'staging', outcome: LoadRecord['outcome'] = 'violates'): LoadResult {
  const verdict = ({ conforms: 'pass', violates: 'fail', incomplete: 'inconclusive' } as const)[outcome];
  const samples = Array.from({ length: 62 }, (_, i) => sampleAt(i, text));
  return {
    record: {
      schemaVersion: 2,
      subject: 'load',
      suite: { name: 'petstore-conformance', version: '0.1.0' },
      spec: { version: '1.0.0', digest: digestOf('a') },
      recorded: {
        run: { name: 'load-run.json', digest: digestOf('b') },
        samples: [{ name: 'samples.ndjson.gz', digest: digestOf('c') }],
      },
      target: { baseUrl: text, plan: text },
      profile: 'over-limit',
      limits: { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 },
      startedAt: new Date(START).toISOString(),
      finishedAt: new Date(START + 65_000).toISOString(),
      ended: { how: 'finished', because: text },
      requests: { total: 62, keyed: 62 },
      strict: false,
      outcome,
      causes: [],
      remarks: [],
      observations: [],
      evidence: [],
      requirements: [
        loadFindingOf('SENT', 'pass', 'All 62 planned requests were sent on schedule.'),
        loadFindingOf('NO-5XX', verdict === 'pass' ? 'pass' : 'inconclusive', text),
        loadFindingOf('RATE-LIMITED', verdict, text),
      ],
      keys: [
        { key: 'key', planned: 62, sent: 62, accepted: 60, rateLimited: 1, failed: 1 },
        { key: 'other', planned: 5, sent: 0, accepted: 0, rateLimited: 0, failed: 0 },
      ],
      latencyMs: { count: 61, min: 5, p50: 35, p90: 60, p99: 65, p999: 65, max: 65, ...TWENTIETHS },
      scheduleDelayMs: { p50: 0.4, p99: 2, max: 3 },
      environment: { k6: '2.2.0', node: '20.19.0', platform: 'linux x64', cpus: 2 },
    },
    trace: {
      samples,
      events: [{ kind: 'waiting', key: 'key', at: START + 62_000, untilMs: START + 64_000, because: text }],
    },
  };
}

function sampleAt(i: number, text: string): Sample {
  const sent = START + i * 1000;
  const about = {
    key: 'key',
    n: i + 1,
    step: 0,
    kind: 'paced',
    operation: 'list',
    planned: sent - 1,
  } as const;
  const times = { sent, received: sent + 5 + i };
  if (i === 61) return { ...about, ...times, outcome: { kind: 'no-response', error: text } };
  const reset = String((START + (i < 31 ? 31_000 : 91_000)) / 1000);
  return {
    ...about,
    ...times,
    outcome: {
      kind: 'answer',
      status: i === 60 ? 429 : 200,
      limit: '60',
      remaining: String(Math.max(0, 59 - i)),
      reset,
      ...(i === 60 ? { retryAfter: text } : {}),
    },
  };
}

/** A run of which some of the record is different. */
const changed = ({ record, trace }: LoadResult, change: Partial<LoadRecord>): LoadResult => ({
  record: { ...record, ...change },
  trace,
});

/** The same with phases, whose results may repeat words of the target. */
export function phasedLoadRun(text = 'staging'): LoadResult {
  const figures = { requests: 30, offeredPerSecond: 2.7, acceptedPerSecond: 2.65, errors: 1, rateLimited: 2 };
  const phases = [
    { ...figures, name: 'step 1', seconds: 30, p50: 4.2, p99: 12.5, result: 'held' },
    { ...figures, name: 'step 2', seconds: 0.5, p50: null, p99: null, result: text },
  ];
  return changed(loadRun(text), { phases });
}

/** A run that was stopped before its first response. */
export const emptyLoadRun = (): LoadResult =>
  changed(
    { ...loadRun('staging', 'incomplete'), trace: { samples: [], events: [] } },
    {
      ended: { how: 'stopped', because: 'The target stopped answering.' },
      requirements: [],
      latencyMs: null,
      scheduleDelayMs: null,
    },
  );

const LONG = 'A plain sentence of many words. '.repeat(20);

/** A load run of which everything that its first two pages state is as long as it can be. */
export function crammedLoadRun(): LoadResult {
  const run = loadRun(`https://${'a-long-name.'.repeat(8)}example.com/api/v1`);
  const findings = Array.from(
    { length: 40 },
    (_, at): Finding => ({
      ...loadFindingOf(`THRESHOLD-${at + 1}`, at % 2 === 0 ? 'fail' : 'inconclusive', LONG),
      sentence: LONG,
    }),
  );
  return changed(run, {
    requirements: [...run.record.requirements, ...findings],
    product: { name: LONG, vendor: LONG, version: '1.2.3', configuration: LONG },
    ended: { how: 'stopped', because: LONG },
    remarks: [LONG, LONG, LONG, LONG],
    phases: phasesOf(40, LONG),
    keys: Array.from({ length: 2000 }, (_, at) => ({
      ...{ key: `fleet-${at + 1}`, planned: 60, sent: 59, accepted: 58, rateLimited: 1, failed: 0 },
    })),
  });
}

/** A run with so many phases, and a problem whose reason has so many characters. */
export function loadRunWith({ phases, reason }: { phases: number; reason: number }): LoadResult {
  const run = loadRun();
  const [, ...others] = run.record.requirements;
  const because = LONG.repeat(2).slice(0, reason);
  const problem: Finding = { ...loadFindingOf('HOLDS', 'inconclusive', because), sentence: 'It holds.' };
  const findings = others.map(({ id }) => loadFindingOf(id, 'pass', 'It passed.'));
  return changed(run, {
    requirements: reason === 0 ? findings : [problem, ...findings],
    phases: phasesOf(phases, 'held'),
  });
}

const phasesOf = (count: number, result: string): readonly LoadPhase[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ name: `step ${at + 1}`, seconds: 30, p50: 4.2, p99: 12.5, result },
    ...{ requests: 30, offeredPerSecond: 2.7, acceptedPerSecond: 2.65, errors: 1, rateLimited: 2 },
  }));
