import { capitalized, countOf, quoted } from '../../kernel/basics/text.ts';
import type { LoadEnding } from '../../kernel/findings/load.ts';
import { keyText } from '../model/key-list.ts';
import type { KeyAlias } from '../model/profile.ts';
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
}

/** Exit codes of k6 (its package errext/exitcodes): a threshold was not met, which the judge explains; a signal ended it. */
const [THRESHOLDS_CODE, SIGNAL_CODE] = [99, 105];

/** How k6 ended. Whether every record arrived is judged from the samples. */
export function k6EndingOf(k6: K6Ending): LoadEnding {
  const { code, signal, interrupted, exceededBytes, lastLine, keys } = k6;
  if (interrupted) return { how: 'interrupted', because: 'The user interrupted the run.' };
  const stopped = stoppedEnding(keys);
  if (stopped !== undefined) return stopped;
  if (exceededBytes !== undefined) {
    return {
      how: 'failed',
      because: `k6 used more than ${Math.round(exceededBytes / 1e6)} MB of memory and was ended: the target may send a body without an end.`,
    };
  }
  if (code === SIGNAL_CODE || signal !== null) {
    return {
      how: 'interrupted',
      because: `k6 was ended from outside${signal === null ? '' : ` (${signal})`}.`,
    };
  }
  if (code === 0 || code === THRESHOLDS_CODE) return { how: 'finished', because: 'k6 ended by itself.' };
  return {
    how: 'failed',
    because: `k6 ended with exit code ${code}${lastLine === '' ? '' : ` (${lastLine})`}.`,
  };
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
