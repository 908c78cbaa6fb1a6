import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { RawServer } from '../testing/suites/raw-server.ts';
import { rawServer } from '../testing/suites/raw-server.ts';

/** A hostile target, and how a run against it must end. */
export interface Attack {
  readonly id: string;
  /** What the target does: the rest of a sentence that begins with "The target". */
  readonly description: string;
  /** How the run must end, for a person. */
  readonly expected: string;
  /** The allowed exit codes: 1 and 3 are verdicts, 2 is an error that names the cause. */
  readonly exitCodes: readonly (1 | 2 | 3)[];
  /** A pattern of the last line on standard error, where the run ends with an error. */
  readonly lastLine?: RegExp;
  /** The most memory that the command may use, in megabytes, where it is more than the usual bound. */
  readonly megabytes?: number;
  /** The most CPU time that the command may use, in seconds, where it is more than the usual bound. */
  readonly cpuSeconds?: number;
  /** Whether it takes too long for `npm test`. */
  readonly slow?: true;
  /** Starts the target, which is closed when the test ends. */
  readonly start: (t: TestContext) => Promise<HostileTarget>;
}

/** A hostile target that listens. */
interface HostileTarget {
  /** The base address for `--target`. */
  readonly target: string;
  /** Further arguments of `certify`. */
  readonly args?: readonly string[];
  /** Further environment variables of `certify`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Checks that hold for this attack only. @throws {AssertionError} when one of them does not hold. */
  readonly assertAfter?: (run: AttackedRun) => void;
}

/** The output of a run against a hostile target. */
export interface AttackedRun {
  readonly out: string;
  readonly err: string;
  /** The text of every file in the output folder, by name. */
  readonly files: ReadonlyMap<string, string>;
}

/** Answers the `n`th request to a raw server, from 1. */
export type Respond = (socket: Socket, request: string, n: number) => void;

/** Starts a server that answers a request with any bytes; it is closed when the test ends. */
export async function raw(t: TestContext, respond: Respond): Promise<RawServer> {
  const server = await rawServer(respond);
  t.after(() => server[Symbol.asyncDispose]());
  return server;
}

/** The memory that the process may use, in megabytes, unless the attack has a bound of its own. */
const MEGABYTES = 512;

/** The CPU time, likewise, in seconds. Unlike elapsed time, it does not depend on the load of the machine. */
const CPU_SECONDS = 15;

/** The memory and the CPU time that the command may use against this attack, including those of Node. */
export const costBoundsOf = ({ megabytes = MEGABYTES, cpuSeconds = CPU_SECONDS }: Attack) => ({
  megabytes,
  cpuSeconds,
});
