import { createHash } from 'node:crypto';
import type { Plans } from '../spec/plans.ts';

/**
 * API keys for demonstrations, by plan: two for every plan of the plan file
 * whose numbers are known, each a caller of its own, and none for the others.
 */
export interface DemoKeys {
  readonly free: readonly string[];
  readonly pro: readonly string[];
  readonly business: readonly string[];
  /** One Free key whose day is used up when the server starts. */
  readonly spent: readonly string[];
  /** One Free key that may be banned without loss. */
  readonly sacrificial: readonly string[];
  /** The keys of any further plan, such as Enterprise where its numbers are stated. */
  readonly [plan: string]: readonly string[];
}

/**
 * The same keys for every server, so that a command line can be repeated. They
 * are no secrets: they open nothing but a server started for a demonstration.
 */
export function demoKeys({ plans }: Plans): DemoKeys {
  const known = Object.keys(plans).filter((name) => plans[name] !== null);
  const pairs = known.map((name) => [name, [demoKey(name, 1), demoKey(name, 2)]] as const);
  const single = (group: string) => (known.includes('free') ? [demoKey(group, 1)] : []);
  const others = { spent: single('spent'), sacrificial: single('sacrificial') };
  return { free: [], pro: [], business: [], ...Object.fromEntries(pairs), ...others };
}

function demoKey(group: string, n: number): string {
  const tail = createHash('sha256')
    .update(`demo ${group} ${n}`)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  return `demo-${group}-${n}-${tail.slice(0, 20)}`;
}
