import type { Outcome, RunRecord } from '../../kernel/findings/record.ts';
import type { Fault, RunOption } from '../../reference-server/catalogue/faults/fault.ts';
import { decidingOptions, isOfBytes } from '../../reference-server/catalogue/faults/fault.ts';
import { overHttpTo, plansOf } from '../over-http.ts';
import { runWith, virtualRun } from '../simulation/virtual-run.ts';
import { inParallel } from '../study.ts';
import { whyTooSlow } from '../testing/tools/busy-machine.ts';

/** The result of a run against the reference server with one injected fault. */
export interface FaultResult {
  readonly fault: Fault;
  /** The requirements that failed, sorted. */
  readonly fails: readonly string[];
  /** The requirements and observations that warned, sorted. */
  readonly warns: readonly string[];
  /** Every other verdict that a conforming server does not get in the same run, sorted: `LIMIT-4 inconclusive`. Empty over sockets, where time decides some. */
  readonly others: readonly string[];
  readonly outcome: Outcome;
  /** The outcome of the same journal where every warning counts as a violation; absent where the run was over sockets. */
  readonly strictOutcome?: Outcome;
  /** The reason of each that failed or warned, one sentence each. */
  readonly because: readonly string[];
  /** The requirements that failed with each deciding option; absent where there is none. */
  readonly failsWith?: Readonly<Partial<Record<RunOption, readonly string[]>>>;
}

/** The window for faults that need sockets, in seconds: short enough for a test, and on a busy machine a longer one. */
const WINDOW_SECONDS = { usual: 6, busy: 30 } as const;

/** How many runs over sockets are in progress at the same time. A run spends most of its time waiting. */
const PARALLEL_RUNS = 12;

/**
 * Runs the suites once against each fault: in virtual time, or over sockets for
 * faults of the bytes. The results are in the order of the faults. It takes about
 * 20 seconds, half of which is computing.
 */
export async function runFaults(faults: readonly Fault[]): Promise<readonly FaultResult[]> {
  // The runs in virtual time come first, because computing would delay the timing on sockets.
  const inTime: FaultResult[] = [];
  for (const fault of faults) if (!isOfBytes(fault)) inTime.push(await inVirtualTime(fault));
  const all = [...inTime, ...(await inParallel(faults.filter(isOfBytes), PARALLEL_RUNS, overSockets))];
  return all.sort((a, b) => faults.indexOf(a.fault) - faults.indexOf(b.fault));
}

async function inVirtualTime(fault: Fault): Promise<FaultResult> {
  const { needs } = fault;
  const { record, judgedStrictly } = await virtualRun({ fault, ...runWith(needs) });
  const others = differences(record, await conformingRun(needs));
  const failsWith: Partial<Record<RunOption, readonly string[]>> = {};
  for (const option of decidingOptions(fault)) {
    const withOption = await virtualRun({ fault, ...runWith([...needs, option]) });
    failsWith[option] = resultOf(fault, withOption.record).fails;
  }
  const options = Object.keys(failsWith).length > 0 ? { failsWith } : {};
  const strictOutcome = record.outcome === 'violates' ? record.outcome : judgedStrictly().outcome;
  return { ...resultOf(fault, record), others, strictOutcome, ...options };
}

const conforming = new Map<string, Promise<RunRecord>>();

/** The same run against the server without a fault. */
async function conformingRun(needs: readonly RunOption[]): Promise<RunRecord> {
  const name = needs.join();
  const known = conforming.get(name) ?? virtualRun(runWith(needs)).then(({ record }) => record);
  conforming.set(name, known);
  return known;
}

function differences({ requirements }: RunRecord, usual: RunRecord): readonly string[] {
  const before = new Map(usual.requirements.map(({ id, verdict }) => [id, verdict]));
  return requirements
    .filter(({ id, verdict }) => !['fail', 'warn', before.get(id)].includes(verdict))
    .map(({ id, verdict }) => `${id} ${verdict}`)
    .sort();
}

async function overSockets(fault: Fault): Promise<FaultResult> {
  const within = (seconds: number) => overHttpTo({ plans: plansOf(seconds), seams: fault });
  const { record } = await within(WINDOW_SECONDS.usual);
  const isSlow = whyTooSlow(record) !== undefined;
  return resultOf(fault, isSlow ? (await within(WINDOW_SECONDS.busy)).record : record);
}

function resultOf(fault: Fault, { requirements, observations, outcome }: RunRecord): FaultResult {
  const failed = requirements.filter(({ verdict }) => verdict === 'fail');
  const warned = requirements.filter(({ verdict }) => verdict === 'warn');
  const observed = observations.filter(({ warning }) => warning !== undefined);
  const ids = (all: readonly { readonly id: string }[]) => all.map((one) => one.id).sort();
  return {
    fault,
    fails: ids(failed),
    warns: ids([...warned, ...observed]),
    others: [],
    outcome,
    because: [...failed, ...warned].map((one) => `${one.id} ${one.verdict}: ${one.because}`),
  };
}
