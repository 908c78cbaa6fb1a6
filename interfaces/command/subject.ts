import type { RunningServer, ServerOptions } from '../../reference-server/http/server.ts';
import type { DemoKeys } from '../../reference-server/service/callers.ts';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import { baseUrlText } from '../../suites/service/inputs/base-url.ts';
import type { TargetAccess } from '../../suites/service/run/run-settings.ts';
import type { FurtherKeys, Keys } from '../../suites/service/wire/keyring.ts';
import { furtherKeysIn } from '../../suites/service/wire/keyring.ts';
import { FLAGS } from '../options/command-line.ts';
import { checkScope } from '../options/given.ts';
import type { OptionValues } from '../options/table.ts';
import { dryRunEnvironment, readTargetAccess } from '../options/target.ts';
import type { Behaviour } from './behaviour.ts';

/** What is tested: the server that comes with this program, or a target of the user. */
export type Subject =
  | { readonly kind: 'bundled'; readonly behaviour: Behaviour }
  | { readonly kind: 'target'; readonly access: TargetAccess };

/**
 * Reads what is to be tested. An option that belongs to the other kind of subject is an error: a pipeline that
 * forgot `--target` must not get the verdict of the bundled server.
 * @throws {UserError} when an option is wrong or out of place.
 */
export async function readSubject(values: OptionValues, env: NodeJS.ProcessEnv): Promise<Subject> {
  checkScope(values);
  if (values.target === undefined) {
    // A run against a target does not load the catalogues of the bundled server.
    const { readBehaviour } = await import('./behaviour.ts');
    return { kind: 'bundled', behaviour: readBehaviour(values) };
  }
  const known = values.dryRun === true ? dryRunEnvironment(values, env) : env;
  return { kind: 'target', access: readTargetAccess(values.target, values, FLAGS, known) };
}

export function subjectText(subject: Subject): string {
  if (subject.kind === 'target') return baseUrlText(subject.access.baseUrl);
  const { description } = subject.behaviour;
  const behaviour = description.length === 0 ? '' : ` (${description.join(', ')})`;
  return `the bundled reference server${behaviour}; name your own service with --target URL`;
}

/** The bundled server's minute, in seconds, where no plan file is given: a run usually ends in under ten seconds. */
const DEMONSTRATION_MINUTE = 4;

/**
 * The plans of a run: those in the plan file, or else those of the specification, for the bundled server with a
 * shorter minute.
 * @throws {UserError} when the plan file cannot be used.
 */
export function plansFor(subject: Subject, path: string | undefined) {
  const demonstration = subject.kind === 'bundled' && path === undefined;
  const stated = loadPlans(path);
  const plans = demonstration ? { ...stated, minuteSeconds: DEMONSTRATION_MINUTE } : stated;
  return { plans, demonstration };
}

export function furtherKeysFor(subject: Subject, plans: Plans, plan: string): FurtherKeys {
  if (subject.kind === 'target') return furtherKeysIn(subject.access.keys);
  const available = Object.keys(plans.plans).filter((name) => plans.plans[name] !== null);
  const { bans, oneCaller } = subject.behaviour;
  return {
    otherKey: !oneCaller,
    exhaustedKey: available.includes('free'),
    // Looking for a ban takes another window, so it is done only where the server bans.
    disposableKey: available.includes('free') && bans,
    furtherPlans: available.filter((name) => name !== plan),
  };
}

/** Calls `use` with the access to the subject. The bundled server is started before and stopped after it. */
export async function withAccess<T>(
  subject: Subject,
  plans: Plans,
  plan: string,
  use: (access: TargetAccess) => Promise<T>,
): Promise<T> {
  if (subject.kind === 'target') return use(subject.access);
  return serving({ plans, ...subject.behaviour.server }, (server) => {
    const keys = bundledKeys(furtherKeysFor(subject, plans, plan), server.keys, plan);
    const baseUrl = new URL(server.baseUrl);
    return use({
      baseUrl,
      keys,
      certificateAuthority: undefined,
      headers: [],
      proxied: false,
      bundled: true,
    });
  });
}

/** Starts the bundled server, calls `use`, and stops the server again. */
export async function serving<T>(
  options: ServerOptions,
  use: (server: RunningServer) => Promise<T>,
): Promise<T> {
  const { startServer } = await import('../../reference-server/http/server.ts');
  const server = await startServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

function bundledKeys(
  { otherKey, exhaustedKey, disposableKey, furtherPlans }: FurtherKeys,
  demo: DemoKeys,
  plan: string,
): Keys {
  return {
    key: demoKey(demo, plan, 0),
    ...(otherKey ? { other: demoKey(demo, plan, 1) } : {}),
    ...(exhaustedKey ? { exhausted: demoKey(demo, 'exhausted', 0) } : {}),
    ...(disposableKey ? { disposable: demoKey(demo, 'disposable', 0) } : {}),
    plans: Object.fromEntries(furtherPlans.map((name) => [name, demoKey(demo, name, 0)])),
  };
}

/** A key of the bundled server: of a plan or a group, counted from 0. */
export function demoKey(demo: DemoKeys, group: string, index: number): string {
  const key = demo[group]?.[index];
  if (key === undefined) throw new Error(`the bundled server has no demo key ${index + 1} of ${group}`);
  return key;
}
