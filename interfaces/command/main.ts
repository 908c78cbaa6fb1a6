import type { Ending } from './exit-code.ts';
import { endingOf } from './exit-code.ts';
import { runProgram } from './program.ts';
import { terminalOf } from './terminal.ts';

/**
 * Runs one command line and ends the process. Every error becomes one sentence and an exit code, because Node's own
 * code for an uncaught error is 1, which here means that the target violates the specification.
 * @param argv as Node provides it: the runtime, the script, then the arguments.
 */
export async function main(argv: readonly string[]): Promise<void> {
  process.on('uncaughtException', (error) => endProcess(ending(error)));
  process.on('unhandledRejection', (error) => endProcess(ending(error)));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    const code = await runProgram(terminalOf(process), argv.slice(2));
    endProcess({ sentence: undefined, code });
  } catch (error) {
    endProcess(ending(error));
  }
}

function ending(error: unknown): Ending {
  if ((process.env['PETSTORE_DEBUG'] ?? '') !== '') console.error(error);
  return endingOf(error);
}

/** Ends the process when all output is flushed, whatever else is still open. */
function endProcess({ sentence, code }: Ending): void {
  process.exitCode = code;
  // Messages of libraries contain line ends; an error is one line.
  if (sentence !== undefined) {
    process.stderr.write(`petstore-conformance: ${sentence.replaceAll(/\s+/g, ' ')}\n`);
  }
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

/** A reader such as `head` may close the pipe: the run goes on, and its exit code still counts. */
function ignoreClosedPipe(error: Error & { readonly code?: string }): void {
  if (error.code !== 'EPIPE') throw error;
}
