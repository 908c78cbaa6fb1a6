import type { TestContext } from 'node:test';
import type { RawServer, Respond } from '../testing/suites/raw-server.ts';
import { rawServer } from '../testing/suites/raw-server.ts';

/** Starts a hostile target, which is closed when the test ends. HOSTILE.md states what it does and how a run against it ends. */
export type Attack = (t: TestContext) => Promise<HostileTarget>;

/** Attacks by their ids. */
export type Attacks = Readonly<Record<string, Attack>>;

/** A hostile target that listens. */
interface HostileTarget {
  /** The base address for `--target`. */
  readonly target: string;
  /** Further arguments of `certify`. */
  readonly args?: readonly string[];
  /** Further environment variables of `certify`. */
  readonly env?: Readonly<Record<string, string>>;
  /** A pattern of the last line on standard error, where the run ends with an error. */
  readonly lastLine?: RegExp;
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

/** Starts a server that answers a request with any bytes; it is closed when the test ends. */
export async function raw(t: TestContext, respond: Respond): Promise<RawServer> {
  const server = await rawServer(respond);
  t.after(() => server[Symbol.asyncDispose]());
  return server;
}

/** A server that answers every request so. */
export const serving =
  (respond: Respond, assertAfter?: HostileTarget['assertAfter']): Attack =>
  async (t) => ({
    target: (await raw(t, respond)).baseUrl.href,
    ...(assertAfter === undefined ? {} : { assertAfter }),
  });

/** An attack that ends a run with an error whose line has this pattern. */
export const ending =
  (lastLine: RegExp, attack: Attack): Attack =>
  async (t) => ({ ...(await attack(t)), lastLine });
