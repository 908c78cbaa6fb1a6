import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { RawServer } from '../testing/suites/raw-server.ts';

/** One way in which a target lies, stalls or attacks, and what a run against it must come to. */
export interface Attack {
  readonly id: string;
  /** What the target does, as the end of a sentence that begins with "The target". */
  readonly does: string;
  /** What comes of it, for a person. */
  readonly ends: string;
  /** The exit codes that are allowed: 1 and 3 are verdicts, 2 is an error that names the cause. */
  readonly codes: readonly (1 | 2 | 3)[];
  /** What the last line on standard error must say, where there is no verdict. */
  readonly says?: RegExp;
  /** The most memory that the command may hold, in megabytes, where it is more than the usual bound. */
  readonly megabytes?: number;
  /** The most time of a processor that the command may take, in seconds, where it is more than the usual bound. */
  readonly cpuSeconds?: number;
  /** Whether it takes too long for every test run. */
  readonly long?: true;
  /** Sets the target up. */
  readonly stage: (stage: Stage) => Promise<Scene>;
}

/** A target that is ready to be examined. */
export interface Scene {
  /** The base address for `--target`. */
  readonly target: string;
  /** Further arguments of `certify`. */
  readonly more?: readonly string[];
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What must hold afterwards besides what must always hold. Throws an `AssertionError` where it does not. */
  readonly afterwards?: (run: AttackedRun) => void;
}

/** What an attacked run left behind. */
export interface AttackedRun {
  readonly out: string;
  readonly err: string;
  /** The text of every file of the run's folder, by name. */
  readonly files: ReadonlyMap<string, string>;
}

/** Where targets are set up; everything on it is taken down when the test ends. */
export interface Stage {
  /** A folder of the test's own. */
  readonly folder: string;
  /** A server that answers a request with whatever bytes it likes. */
  raw(respond: Respond): Promise<RawServer>;
  /** A server of Node's own over TLS with this certificate; resolves to its origin. */
  tls(identity: Identity, listener: RequestListener): Promise<string>;
}

/** What a raw server does with its `n`th request, from 1. */
export type Respond = (socket: Socket, request: string, n: number) => void;

/** A certificate and its private key, as PEM texts. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}
