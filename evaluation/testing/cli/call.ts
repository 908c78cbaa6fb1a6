import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { endingOf } from '../../../interfaces/command/errors.ts';
import { createProgram } from '../../../interfaces/command/program.ts';

/** What a command printed, and how it ended. */
export interface EndedCommand {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The variables of a command, and its folder. */
export interface CallOptions {
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** Settles when no command runs: environment and folder belong to the process, so one runs at a time. */
let idle: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, for commands that neither wait nor handle signals: the start of a process costs
 * more than what they do. It ends as `interfaces/command/main.ts` ends it.
 */
export function call(args: readonly string[], options: CallOptions): Promise<EndedCommand> {
  const called = idle.then(() => surrounded(args, options));
  idle = called.catch(() => undefined);
  return called;
}

async function surrounded(
  args: readonly string[],
  { cwd = tmpdir(), env }: CallOptions,
): Promise<EndedCommand> {
  const [outer, folder] = [process.env, process.cwd()];
  process.env = { ...env };
  process.chdir(cwd);
  try {
    return await ended(args);
  } finally {
    process.env = outer;
    process.chdir(folder);
  }
}

async function ended(args: readonly string[]): Promise<EndedCommand> {
  const [out, err] = [collector(), collector()];
  const terminal = { out: out.stream, err: err.stream, colour: false, live: false, width: 100 };
  let code: number;
  try {
    const { program, codeOf } = await createProgram(terminal, args);
    await program.parseAsync(['node', 'petstore-conformance', ...args]);
    code = codeOf();
  } catch (error) {
    const { sentence, code: ending } = endingOf(error);
    if (sentence !== undefined)
      err.stream.write(`petstore-conformance: ${sentence.replaceAll(/\s+/g, ' ')}\n`);
    code = ending;
  }
  return { code, out: out.text(), err: err.text() };
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}
