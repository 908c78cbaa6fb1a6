import type { Scenario } from '../model/profile.ts';
import type { LoadRecord } from '../model/record.ts';
import type { Trace } from '../model/sample.ts';
import { stopText } from '../model/sample.ts';

/** How k6 ended, and what was read of its samples. */
export interface K6Ending {
  /** The exit code, or null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Whether the user ended the run. */
  readonly interrupted: boolean;
  /** The last line of what k6 said on standard error, without keys; empty where it said nothing. */
  readonly lastWords: string;
  readonly trace: Trace;
  readonly damage: readonly string[];
}

/** k6 missed a threshold: the judge says what that means. */
const THRESHOLDS = 99;

/** k6's own words for its exit codes (its package errext/exitcodes). */
const CODES: Readonly<Record<number, string>> = {
  0: 'k6 ended as if all were well',
  [THRESHOLDS]: 'k6 ended with its thresholds missed',
  97: 'k6 failed at its cloud',
  100: 'k6 had no time for its preparation',
  101: 'k6 had no time for its end',
  103: 'k6 was stopped through its REST interface',
  104: 'k6 found its configuration wrong',
  106: 'k6 could not open an output',
  107: 'the script of k6 failed',
  108: 'the script ended the run',
  109: 'k6 crashed',
  110: 'the script called the run a failure',
};

const SIGNAL_CODE = 105;

/**
 * How the run ended. `finished` needs proof: every lane said that it was done,
 * and as many requests were told of as it says; whatever k6's exit code claims, what was not told
 * did not happen.
 */
export function endingOf(k6: K6Ending, scenarios: readonly Scenario[]): LoadRecord['ended'] {
  if (k6.interrupted) return { how: 'interrupted', because: 'The user ended the run.' };
  const stop = k6.trace.events.find((event) => event.kind === 'stopped' && event.key !== 'disposable');
  if (stop?.kind === 'stopped') {
    if (stop.because !== 'script') {
      return { how: 'stopped', because: `Key ${stop.key}: ${stopText(stop)}.` };
    }
    return { how: 'failed', because: `The script failed: ${stop.detail}.` };
  }
  if (k6.code === SIGNAL_CODE || k6.signal !== null) {
    return {
      how: 'interrupted',
      because: `Somebody else ended k6${k6.signal === null ? '' : ` (${k6.signal})`}.`,
    };
  }
  if (k6.code !== 0 && k6.code !== THRESHOLDS) return { how: 'failed', because: `${said(k6)}.` };
  const [damage] = k6.damage;
  if (damage !== undefined) return { how: 'failed', because: `The samples of k6 are damaged: ${damage}` };
  const untold = scenarios.flatMap((scenario) => untoldOf(scenario, k6.trace) ?? []);
  if (untold[0] !== undefined) return { how: 'failed', because: `${said(k6)}, but ${untold[0]}.` };
  return { how: 'finished', because: 'Every request that was planned was sent.' };
}

function said({ code, lastWords }: K6Ending): string {
  const what = CODES[code ?? 0] ?? `k6 ended with code ${code}`;
  return lastWords === '' ? what : `${what} (${lastWords})`;
}

/** What is missing of a lane, as a clause; undefined where nothing is. */
function untoldOf({ key }: Scenario, { samples, events }: Trace): string | undefined {
  const told = samples.filter((sample) => sample.key === key).length;
  const end = events.find((event) => event.key === key && event.kind !== 'waits');
  if (end === undefined) return `the lane of ${key} never ended (${told} requests were told of)`;
  if (end.kind !== 'finished' || end.requests === told) return undefined;
  return `of the ${end.requests} requests of ${key} only ${told} were told of`;
}
