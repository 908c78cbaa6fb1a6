import type { Ending } from './errors.ts';
import { endingOf } from './errors.ts';
import { createProgram } from './program.ts';
import { terminalOf } from './terminal.ts';

/**
 * Runs one command line and ends the process. Every error becomes one
 * sentence and an exit code: Node's own code for an uncaught one is 1, which
 * here means that the target violates the specification.
 * @param argv as Node has it: the runtime, the script, then the arguments.
 */
export async function main(argv: readonly string[]): Promise<void> {
  process.on('uncaughtException', (error) => leave(ending(error)));
  process.on('unhandledRejection', (error) => leave(ending(error)));
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    const { program, codeOf } = await createProgram(terminalOf(process), argv[2]);
    await program.parseAsync([...argv]);
    leave({ sentence: undefined, code: codeOf() });
  } catch (error) {
    leave(ending(error));
  }
}

function ending(error: unknown): Ending {
  if ((process.env['PETSTORE_DEBUG'] ?? '') !== '') console.error(error);
  return endingOf(error);
}

/** Ends the process when everything printed has gone out, whatever is still open. */
function leave({ sentence, code }: Ending): void {
  process.exitCode = code;
  // Libraries put line ends into their messages; one sentence is one line.
  if (sentence !== undefined) {
    process.stderr.write(`petstore-conformance: ${sentence.replaceAll(/\s+/g, ' ')}\n`);
  }
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

/** A reader such as `head` may have left: the run goes on, and its exit code still counts. */
function ignoreClosedPipe(error: Error & { readonly code?: string }): void {
  if (error.code !== 'EPIPE') throw error;
}
