import { CommanderError } from 'commander';
import { InterruptedError, UserError } from '../../kernel/basics/errors.ts';
import { GATE_CODES } from '../../kernel/findings/gate-codes.ts';

/** The exit codes of the process; pipelines rely on them. */
export const EXIT = {
  ...GATE_CODES,
  /** Ended by SIGINT or SIGTERM, as shells count it for SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a command ends that has no verdict. */
export interface Ending {
  /** For standard error; undefined where everything is printed already. */
  readonly sentence: string | undefined;
  readonly code: ExitCode;
}

export class UsageError extends CommanderError {
  /** The command whose help says more, as it is typed. */
  readonly command: string;

  constructor({ exitCode, code, message }: CommanderError, command: string) {
    super(exitCode, code, message);
    this.command = command;
  }
}

/** The sentence and the exit code after `error`. Never throws. */
export function endingOf(error: unknown): Ending {
  if (error instanceof InterruptedError) return { sentence: error.message, code: EXIT.interrupted };
  const isAnswered = error instanceof UsageError && error.exitCode === 0;
  return { sentence: sentenceOf(error), code: isAnswered ? EXIT.conforms : EXIT['no-run'] };
}

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof UsageError) return usageSentence(error);
  if (error instanceof UserError) return error.message;
  const what = error instanceof Error ? error.message : String(error);
  return `Unexpected error: ${what.replace(/[.\s]*$/, '')}. This is a bug in petstore-conformance, not a finding about the target; set PETSTORE_DEBUG=1 to see the stack trace.`;
}

/** Commander quotes the command line, so the text after `=` is removed: it may be a key. */
function usageSentence(error: UsageError): string | undefined {
  if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
  if (/unknown option '--?[\w-]*(?:key|token|secret|password)/i.test(error.message))
    return 'No option takes a key, because every user of this machine can read a command line: put the key into an environment variable (PETSTORE_API_KEY, or another one named with --api-key-env) or into a file (--api-key-file).';
  const plain = error.message
    .replace(/^error: /, '')
    .replace(/=[^']*'/, "=…'")
    .replaceAll('\n', ' ')
    .replace(/[^.?)]$/, '$&.');
  const sentence = plain.charAt(0).toUpperCase() + plain.slice(1);
  return `${sentence} See "${error.command} --help".`;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Aborts a signal on SIGINT and SIGTERM, for a command that ends the process when `use` has settled. A second one ends
 * the process at once. The handlers stay until the end: Ctrl-C after the reports are written, while the output is
 * flushed, must not replace the verdict's exit code.
 */
export function interruptible<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return use(controller.signal);
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
