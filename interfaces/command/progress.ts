import { clearLine, cursorTo } from 'node:readline';
import type { Terminal } from './terminal.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;

/** A line that is redrawn ten times a second until it is stopped. */
export function liveLine({ err }: Terminal, text: () => string): { readonly stop: () => void } {
  let frame = 0;
  const clear = (): void => {
    cursorTo(err, 0);
    clearLine(err, 0);
  };
  const draw = (): void => {
    frame = (frame + 1) % FRAMES.length;
    const line = `${FRAMES[frame] ?? ''} ${text()}`;
    clear();
    // The last column stays free, because a full line wraps on some terminals.
    err.write(line.slice(0, (err.columns || line.length + 1) - 1));
  };
  const timer = setInterval(draw, FRAME_MS);
  return {
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}

/** Shows the progress of a run, from what it records alone. */
export interface Progress<Line> {
  observe(line: Line): void;
  /** Removes a live line; nothing is shown after it. */
  stop(): void;
}

/** What a record means to a person: news; a beginning, which is news once the run goes on with it; that the run goes on; or its end. */
export type News = 'news' | 'begins' | 'goes on' | 'ended' | undefined;

/** A run as far as it went. Its texts have no time. */
export interface RunSoFar<Line> {
  update(line: Line): News;
  /** About the last record. */
  plain(): string;
  live(): string;
}

/** A plain line appears at least this often while a run goes on, in milliseconds. */
const LONGEST_QUIET_MS = 30_000;

/** What began is printed after this time at the latest. Many probes send nothing to a conforming service. */
const PATIENCE_MS = 200;

/** The progress of a run on this terminal: one live line, or plain lines. @param now milliseconds on any clock. */
export function showProgress<Line>(
  terminal: Terminal,
  run: RunSoFar<Line>,
  now: () => number,
): Progress<Line> {
  const start = now();
  const elapsed = (): string => `${((now() - start) / 1000).toFixed(1)} s`;
  if (!terminal.live) return plainProgress(terminal, run, now, elapsed);
  const { stop } = liveLine(terminal, () => `${elapsed()} · ${run.live()}`);
  return {
    observe(line) {
      // What is written after the last record must not stand behind a live line.
      if (run.update(line) === 'ended') stop();
    },
    stop,
  };
}

function plainProgress<Line>(
  { err }: Terminal,
  run: RunSoFar<Line>,
  now: () => number,
  elapsed: () => string,
): Progress<Line> {
  let printedAt = now();
  let begun: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const write = (text: string): void => {
    printedAt = now();
    err.write(text);
  };
  const writeBegun = (): void => {
    clearTimeout(timer);
    if (begun !== undefined) write(begun);
    begun = undefined;
  };
  return {
    observe(line) {
      const news = run.update(line);
      if (news === undefined || news === 'ended') return;
      const text = `${elapsed().padStart(8)}  ${run.plain()}\n`;
      if (news === 'begins') {
        clearTimeout(timer);
        begun = text;
        timer = setTimeout(writeBegun, PATIENCE_MS).unref();
        return;
      }
      writeBegun();
      if (news === 'news' || now() - printedAt >= LONGEST_QUIET_MS) write(text);
    },
    stop: () => clearTimeout(timer),
  };
}
