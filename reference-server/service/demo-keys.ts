import { createHash } from 'node:crypto';
import type { Plans } from '../../spec/plans.ts';

/**
 * API keys for demonstrations, by plan: two for every plan of the plan file
 * whose limits are stated, each a caller of its own, and none for the others.
 */
export interface DemoKeys {
  readonly free: readonly string[];
  readonly pro: readonly string[];
  readonly business: readonly string[];
  /** One Free key whose daily quota is exhausted when the server starts. */
  readonly exhausted: readonly string[];
  /** One Free key that may get banned. */
  readonly disposable: readonly string[];
  /** The keys of any further plan, such as Enterprise where its limits are stated. */
  readonly [plan: string]: readonly string[];
}

/**
 * The same keys for every server, so that a command line can be repeated. They
 * are not secret: they are valid only for servers started for a demonstration.
 */
export function demoKeys({ plans }: Plans): DemoKeys {
  const stated = Object.keys(plans).filter((name) => plans[name] !== null);
  const pairs = stated.map((name) => [name, [demoKey(name, 1), demoKey(name, 2)]] as const);
  const single = (label: string) => (stated.includes('free') ? [demoKey(label, 1)] : []);
  // The texts of these keys are part of `serve --json`, whose output does not change.
  const others = { exhausted: single('spent'), disposable: single('sacrificial') };
  return { free: [], pro: [], business: [], ...Object.fromEntries(pairs), ...others };
}

function demoKey(label: string, n: number): string {
  const tail = createHash('sha256')
    .update(`demo ${label} ${n}`)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  return `demo-${label}-${n}-${tail.slice(0, 20)}`;
}
