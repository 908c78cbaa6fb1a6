import { capitalized, countOf, quoted } from '../../kernel/basics/text.ts';
import type { LoadEnding } from '../../kernel/findings/load.ts';
import { keyText } from '../model/key-list.ts';
import type { KeyAlias, Scenario } from '../model/profile.ts';
import type { ScenarioEvent } from '../model/sample.ts';
import { stopText } from '../model/sample.ts';

/** What was recorded of the scenario of one key: how many requests, and its end; undefined where it recorded none. */
export interface KeyArrival {
  readonly recorded: number;
  readonly end: ScenarioEvent | undefined;
}

export interface K6Ending {
  /** The exit code; null where a signal ended k6. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly interrupted: boolean;
  /** The bytes of memory that k6 exceeded, so that it was ended; undefined where it did not. */
  readonly exceededBytes: number | undefined;
  /** The last line of k6's standard error, without keys; may be empty. */
  readonly lastLine: string;
  readonly keys: ReadonlyMap<string, KeyArrival>;
  readonly damage: readonly string[];
}

/** A threshold was not met, which the judge explains. */
const THRESHOLDS_CODE = 99;

/** The exit codes of k6 (its package errext/exitcodes). */
const EXIT_CODES: Readonly<Record<number, string>> = {
  0: 'k6 reported success',
  [THRESHOLDS_CODE]: 'k6 reported that thresholds were not met',
  97: 'k6 reported a failure of its cloud service',
  100: 'the setup of k6 timed out',
  101: 'the teardown of k6 timed out',
  103: 'k6 was stopped through its REST API',
  104: 'k6 rejected its configuration',
  106: 'k6 could not open an output',
  107: 'the k6 script failed',
  108: 'the k6 script aborted the run',
  109: 'k6 crashed',
  110: 'the k6 script marked the run as failed',
};

const SIGNAL_CODE = 105;

/**
 * How the run ended. `finished` requires that every scenario recorded its end
 * and as many samples as it sent requests, whatever the exit code of k6 is.
 */
export function loadEndingOf(k6: K6Ending, scenarios: readonly Scenario[]): LoadEnding {
  if (k6.interrupted) return { how: 'interrupted', because: 'The user interrupted the run.' };
  const stopped = stoppedEnding(k6.keys);
  if (stopped !== undefined) return stopped;
  if (k6.exceededBytes !== undefined) {
    return {
      how: 'failed',
      because: `k6 used more than ${Math.round(k6.exceededBytes / 1e6)} MB of memory and was ended: the target may send a body without an end.`,
    };
  }
  if (k6.code === SIGNAL_CODE || k6.signal !== null) {
    return {
      how: 'interrupted',
      because: `k6 was ended from outside${k6.signal === null ? '' : ` (${k6.signal})`}.`,
    };
  }
  if (k6.code !== 0 && k6.code !== THRESHOLDS_CODE) return { how: 'failed', because: `${exitText(k6)}.` };
  const [damage] = k6.damage;
  if (damage !== undefined) return { how: 'failed', because: `The samples of k6 are damaged: ${damage}` };
  const [incomplete] = scenarios.flatMap(({ key }) => missingRecords(key, k6.keys.get(key)) ?? []);
  if (incomplete !== undefined) return { how: 'failed', because: `${exitText(k6)}, but ${incomplete}.` };
  return { how: 'finished', because: 'Every planned request was sent.' };
}

/** How a run ended in which a key stopped early; undefined where none did. A disposable key may get banned. */
export function stoppedEnding(keys: ReadonlyMap<string, KeyArrival>): LoadEnding | undefined {
  const ends = [...keys.values()].flatMap(({ end }) => end ?? []).sort((a, b) => a.at - b.at);
  const stop = ends.find((end) => end.kind === 'stopped' && end.key !== 'disposable');
  if (stop?.kind !== 'stopped') return undefined;
  return {
    how: stop.because === 'script error' ? 'failed' : 'stopped',
    because: `${capitalized(keyText(stop.key))}: ${stopText(stop)}.`,
  };
}

function exitText({ code, lastLine }: K6Ending): string {
  const text = EXIT_CODES[code ?? 0] ?? `k6 ended with exit code ${code}`;
  return lastLine === '' ? text : `${text} (${lastLine})`;
}

/** Which records of a scenario are missing, in a clause; undefined where none is. */
export function missingRecords(
  key: KeyAlias,
  { recorded, end }: KeyArrival = { recorded: 0, end: undefined },
): string | undefined {
  if (end === undefined)
    return `the scenario of ${keyText(key)} recorded no end (${countOf(recorded, 'request')} recorded)`;
  if (end.kind !== 'finished' || end.requests === recorded) return undefined;
  return `only ${recorded} of the ${end.requests} requests of ${keyText(key)} were recorded`;
}

/**
 * What the outputs of k6 2 log where they lose measurements: Prometheus, InfluxDB, OpenTelemetry, JSON and CSV. k6 logs
 * the message alone, without its level, output and cause, because the records of the script need that format.
 */
const IS_LOSS =
  /^(?:Failed to send the time series data to the endpoint|.* Some samples may be dropped\.|Couldn't (?:write stats|create batch from samples)|can't (?:shutdown OpenTelemetry metric provider|flush some metrics)|Error dispatching sample|.*failed to upload metrics.*|Sample\(s\) couldn't be marshalled to JSON|CSV: Error writing .*)$/;

/**
 * What additional outputs of k6 lost, in sentences. No verdict rests on them, so a run does not fail over it, but whoever
 * watches the other place must know that it is incomplete.
 * @param log k6's log, without secrets.
 * @param outputs the additional outputs, as k6's `--out` takes them.
 */
export function outputRemarks(log: string, outputs: readonly string[]): readonly string[] {
  if (outputs.length === 0) return [];
  const found = log.split('\n').filter((line) => IS_LOSS.test(line));
  const [first] = found;
  if (first === undefined) return [];
  return [
    `Measurements are missing outside this folder: k6 reports ${countOf(found.length, 'error')} of its additional outputs, the first ${quoted(first)}. The verdict rests on the samples in this folder.`,
  ];
}
