import { countOf, quoted } from '../../words/text.ts';

/** A line of k6's log about an additional output: those of Prometheus and InfluxDB name it, OpenTelemetry is named in the message. */
const IS_OUTPUT_ERROR = /level=(?:error|warning) .*(?: output=|OpenTelemetry)/;

const MESSAGE = / msg="((?:[^"\\]|\\.)*)"/;
const ERROR = / error="((?:[^"\\]|\\.)*)"/;

/**
 * What additional outputs of k6 lost, in sentences. No verdict rests on them, so a run does not fail over it, but whoever
 * watches the other place must know that it is incomplete.
 * @param log k6's log, without secrets.
 * @param outputs the additional outputs, as k6's `--out` takes them.
 */
export function outputRemarks(log: string, outputs: readonly string[]): readonly string[] {
  if (outputs.length === 0) return [];
  const found = log.split('\n').filter((line) => IS_OUTPUT_ERROR.test(line));
  const [first] = found;
  if (first === undefined) return [];
  const [message = '', error = ''] = [MESSAGE, ERROR].map((part) => unescaped(part.exec(first)?.[1] ?? ''));
  return [
    `Measurements are missing outside this folder: k6 reports ${countOf(found.length, 'error')} of its additional outputs, the first ${quoted(message)} (${quoted(error)}). The verdict rests on the samples in this folder.`,
  ];
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');
