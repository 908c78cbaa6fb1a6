import { clearLine, cursorTo } from 'node:readline';
import { durationText } from '../../kernel/basics/text.ts';

export interface Progress<Line> {
  observe(line: Line): void;
  /** Removes a live line; nothing is shown after it. */
  stop(): void;
}

/** What a record means to a person: news; that the run goes on; or its end. */
export type News = 'news' | 'goes on' | 'ended' | undefined;

/** A run as far as it went. Its text has no time. */
export interface RunSoFar<Line> {
  update(line: Line): News;
  text(): string;
  /** Whether a record is a response of the target; absent where the run asks no target. */
  readonly responds?: (line: Line) => boolean;
}

export interface Screen {
  readonly err: NodeJS.WriteStream;
  /** Whether a line on `err` can be redrawn. */
  readonly live: boolean;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;

/** A line that is redrawn ten times a second until it is stopped. */
export function liveLine({ err }: Screen, text: () => string): { readonly stop: () => void } {
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

/** Milliseconds on a monotonic clock. */
const now = (): number => performance.now();

const secondsSince = (start: number): string => `${((now() - start) / 1000).toFixed(1)} s`;

export function showProgress<Line>(screen: Screen, run: RunSoFar<Line>): Progress<Line> {
  if (!screen.live) return plainProgress((line) => void screen.err.write(`${line}\n`), run);
  const start = now();
  const { stop } = liveLine(screen, () => `${secondsSince(start)} · ${run.text()}`);
  return {
    observe(line) {
      // What is written after the last record must not stand behind a live line.
      if (run.update(line) === 'ended') stop();
    },
    stop,
  };
}

/** A plain line appears at least this often while a run goes on, in milliseconds. */
const LONGEST_QUIET_MS = 30_000;

/** The progress of a run in plain lines. @param apartMs how long after a line the next one appears at the earliest, in milliseconds. */
export function plainProgress<Line>(
  print: (line: string) => void,
  run: RunSoFar<Line>,
  apartMs = 0,
): Progress<Line> {
  const start = now();
  let printedAt = start;
  return {
    observe(line) {
      const news = run.update(line);
      if (news === undefined || news === 'ended' || now() - printedAt < apartMs) return;
      if (news === 'goes on' && now() - printedAt < LONGEST_QUIET_MS) return;
      printedAt = now();
      print(`${secondsSince(start).padStart(8)}  ${run.text()}`);
    },
    stop: () => undefined,
  };
}

/** A first response that takes this long is announced before it comes, in milliseconds. */
const FIRST_RESPONSE_MS = 1000;

/** Progress that begins where the target first responds: until then it may be no target at all. */
export function fromFirstResponse<Line>(
  { err }: Screen,
  responds: (line: Line) => boolean,
  begin: () => Progress<Line>,
): Progress<Line> {
  const before: Line[] = [];
  let progress: Progress<Line> | undefined;
  const note = (): void => void err.write('Waiting for the first response of the target.\n');
  const timer = setTimeout(note, FIRST_RESPONSE_MS).unref();
  return {
    observe(line) {
      if (progress !== undefined) return progress.observe(line);
      before.push(line);
      if (!responds(line)) return;
      clearTimeout(timer);
      progress = begin();
      for (const one of before) progress.observe(one);
    },
    stop() {
      clearTimeout(timer);
      progress?.stop();
    },
  };
}

/** Why a run waits, and for how much longer. */
export const waitText = (leftMs: number, because: string): string =>
  `waits ${durationText(Math.max(0, leftMs / 1000))}: ${because}`;

/** What the interface does for a run that goes on. */
export interface Surroundings<Line> {
  readonly print: (...lines: readonly string[]) => void;
  /** Gets sentences about files, the usage ledger and tools. */
  readonly report: (sentence: string) => void;
  readonly progress: (run: RunSoFar<Line>) => Progress<Line>;
  readonly signal: AbortSignal;
}

export async function watched<Line, T>(
  { progress }: Pick<Surroundings<Line>, 'progress'>,
  run: RunSoFar<Line>,
  record: (observe: (line: Line) => void) => Promise<T>,
): Promise<T> {
  const { observe, stop } = progress(run);
  try {
    return await record(observe);
  } finally {
    stop();
  }
}
