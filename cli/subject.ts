import type { DemoKeys, RunningServer, ServerOptions } from '../reference-server/index.ts';
import type { Plans } from '../spec/plans.ts';
import { loadPlans } from '../spec/plans.ts';
import { readBaseUrl, usesProxy } from '../suites/given/base-url.ts';
import { readGatewayHeaders } from '../suites/given/gateway-headers.ts';
import type { Keys } from '../suites/index.ts';
import { UserError } from '../words/user-error.ts';
import type { Behaviour, BehaviourOptions } from './behaviour.ts';
import { readCa } from './certificate-authority.ts';
import type { KeySources } from './keys.ts';
import { readKeys } from './keys.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The options that say what is examined. */
export interface SubjectOptions extends KeySources, BehaviourOptions {
  readonly target?: string;
  readonly ca?: string;
  readonly header?: readonly string[];
  readonly headerEnv?: readonly string[];
}

/** How a target is reached, and as whom. */
export interface Reach {
  readonly baseUrl: URL;
  readonly keys: Keys;
  readonly ca: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly proxied: boolean;
}

/** What is examined: the server that comes with this program, or a target of the user's. */
export type Subject =
  | { readonly kind: 'bundled'; readonly behaviour: Behaviour }
  | { readonly kind: 'target'; readonly reach: Reach };

/** The callers of a run besides the examined key. */
export interface Callers {
  readonly otherKey: boolean;
  readonly spentKey: boolean;
  readonly sacrificialKey: boolean;
  readonly furtherPlans: readonly string[];
}

/**
 * Reads what is to be examined. Options that belong to the other kind of
 * subject are refused: a pipeline that forgot `--target` must not get the
 * good verdict of the bundled server.
 * @throws {UserError} when an option is wrong or out of place.
 */
export async function readSubject(options: SubjectOptions, env: Environment): Promise<Subject> {
  const { target, ca, algorithm, fault, variant } = options;
  if (target === undefined) {
    refuse(
      targetOptions(options),
      'needs --target: without one, the bundled server is examined with its own keys.',
    );
    // Whoever names a target does not wait for the catalogues of the bundled server.
    const { readBehaviour } = await import('./behaviour.ts');
    return { kind: 'bundled', behaviour: readBehaviour(options) };
  }
  refuse(
    { '--algorithm': algorithm, '--fault': fault, '--variant': variant },
    'is for the bundled server and cannot be given with --target.',
  );
  const baseUrl = readBaseUrl(target, '--target');
  return {
    kind: 'target',
    reach: {
      baseUrl,
      keys: readKeys(options, env),
      ca: ca === undefined ? undefined : readCa(ca),
      headers: readGatewayHeaders(options.header ?? [], options.headerEnv ?? [], env),
      proxied: usesProxy(baseUrl, env),
    },
  };
}

/** The bundled server's minute, in seconds, where no plan file is given: the verdict comes in under ten seconds. */
const DEMONSTRATION_MINUTE = 4;

/**
 * The plans of a run: those of a plan file; without one those of the specification, for the bundled server
 * with a minute that suits a demonstration.
 * @throws {PlanFileError} when the plan file is none.
 */
export function plansFor(
  subject: Subject,
  path: string | undefined,
): { readonly plans: Plans; readonly demonstration: boolean } {
  const demonstration = subject.kind === 'bundled' && path === undefined;
  const stated = loadPlans(path);
  return {
    plans: demonstration ? { ...stated, minuteSeconds: DEMONSTRATION_MINUTE } : stated,
    demonstration,
  };
}

/** Which callers a run against this subject will have. */
export function callersOf(subject: Subject, plans: Plans, plan: string): Callers {
  if (subject.kind === 'target') {
    const { other, spent, sacrificial, plans: further = {} } = subject.reach.keys;
    return {
      otherKey: other !== undefined,
      spentKey: spent !== undefined,
      sacrificialKey: sacrificial !== undefined,
      furtherPlans: Object.keys(further),
    };
  }
  const known = Object.keys(plans.plans).filter((name) => plans.plans[name] !== null);
  const { bans, oneCaller } = subject.behaviour;
  return {
    otherKey: !oneCaller,
    spentKey: known.includes('free'),
    // Bans take a window more to be seen, so they are looked for only where there is one to find.
    sacrificialKey: known.includes('free') && bans,
    furtherPlans: known.filter((name) => name !== plan),
  };
}

/** Reaches the subject, starting the bundled server where that is it, and calls `use`; stops the server again. */
export async function reaching<T>(
  subject: Subject,
  plans: Plans,
  plan: string,
  use: (reach: Reach) => Promise<T>,
): Promise<T> {
  if (subject.kind === 'target') return use(subject.reach);
  return serving({ plans, ...subject.behaviour.server }, (server) => {
    const keys = keysFor(callersOf(subject, plans, plan), server.keys, plan);
    return use({ baseUrl: new URL(server.baseUrl), keys, ca: undefined, headers: [], proxied: false });
  });
}

/** Starts the bundled server, calls `use`, and stops it again. */
export async function serving<T>(
  options: ServerOptions,
  use: (server: RunningServer) => Promise<T>,
): Promise<T> {
  const { startServer } = await import('../reference-server/index.ts');
  const server = await startServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

function keysFor(
  { otherKey, spentKey, sacrificialKey, furtherPlans }: Callers,
  demo: DemoKeys,
  plan: string,
): Keys {
  return {
    key: demoKey(demo, plan, 0),
    ...(otherKey ? { other: demoKey(demo, plan, 1) } : {}),
    ...(spentKey ? { spent: demoKey(demo, 'exhausted', 0) } : {}),
    ...(sacrificialKey ? { sacrificial: demoKey(demo, 'disposable', 0) } : {}),
    plans: Object.fromEntries(furtherPlans.map((name) => [name, demoKey(demo, name, 0)])),
  };
}

/** A key of the bundled server: of a plan or a group, counted from 0. */
export function demoKey(demo: DemoKeys, group: string, at: number): string {
  const key = demo[group]?.[at];
  if (key === undefined) throw new Error(`the bundled server has no demo key ${at + 1} of ${group}`);
  return key;
}

const targetOptions = (options: SubjectOptions) => ({
  '--api-key-env': options.apiKeyEnv,
  '--api-key-file': options.apiKeyFile,
  '--other-key-env': options.otherKeyEnv,
  '--spent-key-env': options.spentKeyEnv,
  '--sacrificial-key-env': options.sacrificialKeyEnv,
  '--plan-key': options.planKey?.[0],
  '--ca': options.ca,
  '--header': options.header?.[0],
  '--header-env': options.headerEnv?.[0],
});

function refuse(options: Readonly<Record<string, string | undefined>>, why: string): void {
  const given = Object.keys(options).find((option) => options[option] !== undefined);
  if (given !== undefined) throw new UserError(`${given} ${why}`);
}
