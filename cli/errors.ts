import { CommanderError } from 'commander';
import { UserError } from '../words/user-error.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';

/** The user ended the run; the message says what is left of it. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** How a run ended that came to no verdict. */
export interface Ending {
  /** For standard error; undefined where everything was said already. */
  readonly sentence: string | undefined;
  readonly code: ExitCode;
}

/** What to say and which code to end with after `error`. Never throws. */
export function endingOf(error: unknown): Ending {
  if (error instanceof InterruptedError) return { sentence: error.message, code: EXIT.interrupted };
  if (error instanceof CommanderError) return usageEnding(error);
  if (error instanceof UserError) return { sentence: error.message, code: EXIT.noRun };
  const what = error instanceof Error ? error.message : String(error);
  return {
    sentence: `Unexpected: ${what} This is a fault of petstore-conformance, not of the target; set PETSTORE_DEBUG=1 to see where it happened.`,
    code: EXIT.noRun,
  };
}

/** A command line that cannot be read. Commander quotes it, so what follows `=` goes: it may be a key. */
function usageEnding(error: CommanderError): Ending {
  if (error.exitCode === 0) return { sentence: undefined, code: EXIT.conforms };
  if (error.code === 'commander.help') return { sentence: undefined, code: EXIT.noRun };
  if (/unknown option '--?[\w-]*(?:key|token|secret|password)/i.test(error.message)) {
    return {
      sentence:
        'There is no option that takes a key: keys belong into environment variables (PETSTORE_API_KEY, or one named with --api-key-env) or a file (--api-key-file), because everybody on this machine can read a command line.',
      code: EXIT.noRun,
    };
  }
  const plain = error.message
    .replace(/^error: /, '')
    .replace(/=[^']*'/, "=…'")
    .replaceAll('\n', ' ')
    .replace(/[^.?)]$/, '$&.');
  const sentence = plain.charAt(0).toUpperCase() + plain.slice(1);
  return { sentence: `${sentence} See petstore-conformance --help.`, code: EXIT.noRun };
}
