import { quoted } from '../../../kernel/basics/text.ts';

/** What stands in the line of an error in the runtimes of the languages: `TypeError: …`, `Caused by: java.net.ConnectException: …`, `panic: …`. */
const ERROR = /(?:Error|Exception|panic(?:ked)?|[Ff]atal)\b/;

/** Where an error happened, before what happened: "/srv/retry.rb:220:in `pause': ". A long path would leave no characters for the error. */
const PLACE = /^\S+:\d+:(?:in [`'][^`']*': )?\s*/;

/**
 * What a client printed about its end, as a sentence: the last error that it names, and otherwise its last line. Undefined
 * where it printed nothing.
 */
export function printedText(output: string): string | undefined {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const error = lines.findLast((line) => ERROR.test(line));
  if (error !== undefined) return `It printed: ${quoted(error.replace(PLACE, ''))}.`;
  const last = lines.at(-1);
  return last === undefined ? undefined : `The last line that it printed: ${quoted(last)}.`;
}
