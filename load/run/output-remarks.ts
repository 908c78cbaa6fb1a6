import { countOf, quoted } from '../../kernel/basics/text.ts';

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
