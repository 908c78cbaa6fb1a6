import type { Host } from '../load/k6/host.ts';
import { thisHost } from '../load/k6/host.ts';

/** Hears what takes time, before it begins, one line each. */
export type Say = (line: string) => void;

/** Why a tool is not to be had. */
export interface Missing {
  readonly kind: 'missing';
  /** What was tried in vain, a clause for a person each. */
  readonly tried: readonly string[];
  /** One line: what to do. */
  readonly advice: string;
}

/** How to look for a tool. */
export interface Search {
  readonly host: Host;
  /** False looks without installing anything, as tests do. */
  readonly install: boolean;
  readonly say: Say;
}

/** A search in which all that is not said otherwise is left as it is: on this machine, without installing, in silence. */
export function search({
  host = thisHost(),
  install = false,
  say = () => undefined,
}: Partial<Search>): Search {
  return { host, install, say };
}
