/** Where a command prints, and how. Results go to `out`; progress and errors go to `err`. */
export interface Terminal {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  /** Whether `out` shows colours. */
  readonly colour: boolean;
  /** Whether a line on `err` can be redrawn. */
  readonly live: boolean;
  /** Columns of `out`. */
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

/** What a command prints on standard output: text for a person, or JSON and nothing else. */
export type OutputFormat = 'console' | 'json';

/** Where messages go that are no result: with JSON on standard output, to standard error. */
export const messagesOf = (terminal: Terminal, format: OutputFormat): Terminal =>
  format === 'json' ? { ...terminal, out: terminal.err } : terminal;

/** Prints lines of results. */
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
