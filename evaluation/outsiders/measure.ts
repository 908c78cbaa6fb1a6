import { setTimeout as sleep } from 'node:timers/promises';
import type { Built } from './build.ts';
import type { Certificate, ConformingRun, OutsiderResult } from './certify-service.ts';
import { certifyService } from './certify-service.ts';
import type { Outsider } from './outsider.ts';
import { startService } from './service.ts';
import { foundIn } from './verdict.ts';

/** What to measure of a service. */
export interface Choice {
  /** The ids of the breaks; undefined for all of them and for the service as it conforms. */
  readonly breaks: readonly string[] | undefined;
  /** Runs at a time. */
  readonly parallel: number;
  /** Called with a line for each run. */
  readonly onRun: (line: string) => void;
}

const MINUTE_SECONDS = 6;

/** Minutes of the runs against the service as it conforms, and how long after its start each begins, in seconds. */
const CONFORMING = [
  [MINUTE_SECONDS, 0],
  [MINUTE_SECONDS, 1.3],
  [MINUTE_SECONDS, 2.9],
  [MINUTE_SECONDS, 4.4],
  [MINUTE_SECONDS, 5.7],
  [20, 7],
] as const;

type Service = Extract<Built, { kind: 'built' }>;

/** Certifies a service as it conforms and with each break, and reports a line for each. */
export async function measure(
  { name, breaks }: Outsider,
  service: Service,
  { breaks: ids, parallel, onRun }: Choice,
): Promise<OutsiderResult> {
  const chosen = breaks.filter(({ id }) => ids === undefined || ids.includes(id));
  const conforming: ConformingRun[] = [];
  const found: Record<string, Certificate> = {};
  const phases = (ids === undefined ? CONFORMING : []).map(([minuteSeconds, after], index) => async () => {
    const result = await certificate(service, { broken: '', minuteSeconds, after });
    conforming[index] = { minuteSeconds, ...result };
    onRun(`${name} as it conforms, ${minuteSeconds} s: ${summary(result)}`);
  });
  const broken = chosen.map((one) => async () => {
    const result = await certificate(service, { broken: one.id, minuteSeconds: MINUTE_SECONDS, after: 0 });
    found[one.id] = result;
    onRun(`${name} ${one.id}: ${foundIn(one, result)} (${one.deserved.verdict}); ${summary(result)}`);
  });
  await runAll([...phases, ...broken], parallel, onRun);
  const inOrder = chosen.flatMap(({ id }) => (found[id] === undefined ? [] : [[id, found[id]] as const]));
  return { minuteSeconds: MINUTE_SECONDS, conforming, breaks: Object.fromEntries(inOrder) };
}

async function certificate(
  service: Service,
  { broken, minuteSeconds, after }: { broken: string; minuteSeconds: number; after: number },
): Promise<Certificate> {
  const running = await startService(service, { broken, minuteSeconds });
  try {
    await sleep(after * 1000);
    return await certifyService(running, minuteSeconds);
  } finally {
    await running.stop();
  }
}

/** A run that is not possible is reported and leaves no result. */
async function runAll(
  tasks: readonly (() => Promise<void>)[],
  parallel: number,
  onRun: (line: string) => void,
): Promise<void> {
  const next = tasks.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const task of next) await task().catch((error: Error) => onRun(error.message));
    }),
  );
}

const summary = ({ outcome, fails, warns, inconclusive, keyed }: Certificate): string => {
  const ids = { fail: fails, warn: warns, inconclusive };
  const verdicts = Object.entries(ids).map(([verdict, all]) => `${verdict} ${all.join(' ') || '–'}`);
  return [outcome, ...verdicts, `${keyed} requests with the key`].join('; ');
};
