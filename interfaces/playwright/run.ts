import { baseUrlText } from '../../suites/service/inputs/base-url.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import type { Probe } from '../../suites/service/probes/probe.ts';
import { requestsOf } from '../../suites/service/run/plan.ts';
import type { SettledRun } from '../../suites/service/run/run-settings.ts';
import type { PlaywrightRun } from './settings.ts';

/** Runs a part of the run under a name that Playwright's reports show. */
export type ReportedStep = (name: string, run: () => Promise<void>) => Promise<void>;

/** The same probe as one step of Playwright's reports. */
export const asStep =
  (step: ReportedStep) =>
  (probe: Probe): Probe => ({
    ...probe,
    run: (pacer, inputs) => step(`${probe.id}: ${probe.description}`, () => probe.run(pacer, inputs)),
  });

/** What a run sends and how long it takes at least, in one sentence for the terminal. */
export function announcement({ target, run }: PlaywrightRun): string {
  const { inputs, probes, total, seconds } = run.plan;
  return `Testing ${baseUrlText(target.baseUrl)} (plan ${inputs.plan}): ${probes.length} probes with ${total.withKey} requests with the key, ${total.withOtherKeys} with other keys and ${total.unauthenticated} without a valid one, in at least ${Math.ceil(seconds)} s.`;
}

/** A line of progress appears at most this often, in milliseconds: only a run that takes minutes shows any. */
const PROGRESS_MS = 60_000;

/** Prints from time to time how many requests a long run has sent, and what it is doing. */
export function spacedProgress(
  { plan }: SettledRun,
  print: (line: string) => void,
): (line: JournalLine) => void {
  const planned = requestsOf(plan.total);
  let [sent, printedAt, probe] = [0, performance.now(), ''];
  return (line) => {
    if (line.kind === 'probe') probe = line.id;
    if (line.kind !== 'exchange') return;
    sent += 1;
    if (performance.now() - printedAt < PROGRESS_MS) return;
    printedAt = performance.now();
    const description = plan.probes.find((one) => one.probe.id === probe)?.probe.description ?? '';
    print(`${sent} of ${Math.max(planned, sent)} requests sent; ${probe}: ${description}.`);
  };
}
