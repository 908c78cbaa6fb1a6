import type { Judged, Results } from '../run/judging.ts';
import type { Progress, RunSoFar, Surroundings } from '../run/progress.ts';
import { fromFirstResponse, showProgress } from '../run/progress.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';
import type { Terminal } from './terminal.ts';
import { messagesOf, print } from './terminal.ts';

export interface SettledCommand extends Results {
  /** What a dry run prints after the preview; undefined where the run is made. */
  readonly dryRun: readonly string[] | undefined;
}

/**
 * The straight line of a settled run, to its reports. Each step is a function of what the one before it gave. A repeated
 * run is recorded, judged and reported each time.
 */
export interface Steps<Settled, Admitted, Recorded, Line> {
  /** What the run will do; printed before the first start of a client, or once the target responds. */
  preview(settled: Settled): readonly string[];
  /** Checks, after the preview of a dry run, what else keeps the run from starting. */
  readonly checkDryRun?: (settled: Settled) => void;
  /** Prepares what it records to. @throws {UserError} when the run must not start. */
  admit(settled: Settled, around: Surroundings<Line>): Admitted;
  record(settled: Settled, admitted: Awaited<Admitted>, around: Surroundings<Line>): AsyncIterable<Recorded>;
  /** Uses no network and no key. Several records where one journal shows several subjects. */
  judge(recorded: Recorded): Promise<readonly Judged[]>;
  /** The exit code of a comparison, which counts in place of the worst of the runs. */
  readonly compare?: (settled: Settled, terminal: Terminal) => Promise<ExitCode | undefined>;
}

/** The worst last; a run without any verdict throws instead. */
const BY_SEVERITY: readonly ExitCode[] = [EXIT.conforms, EXIT.incomplete, EXIT.violates];

const worstOf = (codes: readonly ExitCode[]): ExitCode =>
  BY_SEVERITY[Math.max(0, ...codes.map((code) => BY_SEVERITY.indexOf(code)))] ?? EXIT.conforms;

/**
 * Makes a run and prints what comes of it, or only its preview.
 * @throws {InterruptedError} when the signal aborts; what was recorded is kept.
 * @throws {UserError | JournalError | ReportError} when the run cannot be made, or a file cannot be written.
 */
export async function makeRun<Settled extends SettledCommand, Admitted, Recorded, Line>(
  steps: Steps<Settled, Admitted, Recorded, Line>,
  settled: Settled,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const messages = messagesOf(terminal, settled.format);
  // Before the run is in the usage ledger, where it would count.
  const lines = steps.preview(settled);
  const preview = (): void => print(messages, ...lines);
  if (settled.dryRun !== undefined) {
    preview();
    steps.checkDryRun?.(settled);
    if (settled.dryRun.length > 0) print(messages, ...settled.dryRun);
    return EXIT.conforms;
  }
  const around = onTerminal<Line>(messages, preview, signal);
  const codes: ExitCode[] = [];
  const admitted = await steps.admit(settled, around);
  for await (const recorded of steps.record(settled, admitted, around)) {
    const judged = await steps.judge(recorded);
    // Loaded only here, so that previews, error messages and the first request wait for nothing that they do not need.
    const { report } = await import('./report.ts');
    codes.push(await report(judged, settled, terminal, process.env));
  }
  return (await steps.compare?.(settled, terminal)) ?? worstOf(codes);
}

function onTerminal<Line>(terminal: Terminal, preview: () => void, signal: AbortSignal): Surroundings<Line> {
  const write = (sentence: string): void => void terminal.err.write(`${sentence}\n`);
  // A live line would overwrite what is printed meanwhile.
  let waiting: string[] | undefined;
  let previewed = false;
  const begin = (run: RunSoFar<Line>): Progress<Line> => {
    if (!previewed) preview();
    previewed = true;
    return showProgress(terminal, run);
  };
  return {
    print: (...lines) => print(terminal, ...lines),
    report: (sentence) => (waiting === undefined ? write(sentence) : void waiting.push(sentence)),
    progress: (run) => {
      waiting = [];
      const { responds } = run;
      const { observe, stop } =
        responds === undefined ? begin(run) : fromFirstResponse(terminal, responds, () => begin(run));
      return {
        observe,
        stop() {
          stop();
          for (const sentence of waiting ?? []) write(sentence);
          waiting = undefined;
        },
      };
    },
    signal,
  };
}
