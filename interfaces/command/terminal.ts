import { durationText, groupedNumber } from '../../kernel/basics/text.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Results } from '../run/judging.ts';

/** Where a command prints, and how. Results go to `out`; progress and errors go to `err`. */
export interface Terminal {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly colour: boolean;
  /** Whether a line on `err` can be redrawn. */
  readonly live: boolean;
  readonly width: number;
}

const WIDTH_UNKNOWN = 100;

/** The terminal of this process: plain for a file, a pipe or a build log, or where the user asks for it. */
export function terminalOf(process: NodeJS.Process): Terminal {
  const { stdout, stderr, env } = process;
  const plain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || inBuild(env);
  return {
    out: stdout,
    err: stderr,
    colour: stdout.isTTY === true && !plain,
    // Some terminals, such as a container's, do not know their size, so a line cannot be redrawn there.
    live: stderr.isTTY === true && stderr.rows > 0 && stderr.columns > 0 && !plain,
    width: stdout.columns || WIDTH_UNKNOWN,
  };
}

const inBuild = (env: NodeJS.ProcessEnv): boolean => !['', 'false', '0'].includes(env['CI'] ?? '');

/** Where messages go that are no result: with JSON on standard output, to standard error. */
export const messagesOf = (terminal: Terminal, format: Results['format']): Terminal =>
  format === 'json' ? { ...terminal, out: terminal.err } : terminal;

export function print({ out }: Terminal, ...lines: readonly string[]): void {
  out.write(`${lines.join('\n')}\n`);
}

/** Rows as aligned columns; the last column is not padded. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  '),
  );
}

/** The plan and its limits, with the length of the windows where they differ from a minute and a day. */
export const planText = (plan: string, limits: Limits): string =>
  `${plan}: ${groupedNumber(limits.perMinute)} requests in ${windowText(limits.minuteSeconds, 60, 'a minute')}, ${groupedNumber(limits.perDay)} in ${windowText(limits.daySeconds, 86_400, 'a day')}`;

/** Who uses the key or the keys of a run, and what that means. */
export const exclusivityText = (isExclusive: boolean, keys: 'it' | 'them'): string =>
  isExclusive
    ? 'used by this run alone: no verdict stays inconclusive because of other clients'
    : `other clients may use ${keys} during the run; if none does, state that with --exclusive-key`;

/** The last line of `--dry-run`, after the preview. @param lacksKeys whether a key or a secret header is not set. */
export const dryRunText = (done: 'sent' | 'started', lacksKeys = false): string =>
  `Nothing was ${done}. ${lacksKeys ? 'Before a run, set its keys: PETSTORE_API_KEY, or the variables that you named.' : 'Without --dry-run, the run starts at once.'}`;

/** What a shortened minute means for the verdicts. */
export const demonstrationText = (minuteSeconds: number): string =>
  `Demonstration: the minute of the bundled server lasts ${minuteSeconds} s here, so verdicts about time rest on weaker evidence than with a real minute. For a real one, give --plans a plan file with "minuteSeconds": 60.`;

const windowText = (seconds: number, usual: number, name: string): string =>
  seconds === usual ? name : `${name} of ${durationText(seconds)}`;

/** `6.2 %`; a small percentage keeps two significant digits. */
export function percentage(part: number, total: number): string {
  const percent = (100 * part) / total;
  return `${percent >= 10 ? Math.round(percent) : Number(percent.toPrecision(2))} %`;
}
