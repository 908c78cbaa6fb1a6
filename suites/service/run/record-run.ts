import { UserError } from '../../../kernel/basics/errors.ts';
import { definedFields } from '../../../kernel/basics/json.ts';
import type { NoResponseCause } from '../../../kernel/exchanges/exchange.ts';
import { SUITE } from '../../../kernel/findings/tested.ts';
import { baseUrlText } from '../inputs/base-url.ts';
import { tlsAdvice } from '../inputs/tls-advice.ts';
import { wrongTarget } from '../model/headline.ts';
import type { RunLine } from '../model/journal.ts';
import { Pacer } from '../pacing/pacer.ts';
import { TargetLostError } from '../pacing/transport.ts';
import type { SessionOptions } from '../wire/session.ts';
import { Session } from '../wire/session.ts';
import type { RunPlan } from './plan.ts';
import { requestsOf } from './plan.ts';
import type { RunSettings, TargetAccess } from './run-settings.ts';
import type { InputNames } from './select.ts';

/** The target is not the service, so the run ends without a verdict. The message is the headline of the record. */
export class WrongTargetError extends UserError {
  override readonly name = 'WrongTargetError';
}

/** The wire, the clock and the journal of a run: over HTTP and a file, or simulated and in memory. */
export type RunEquipment = Pick<SessionOptions, 'wire' | 'clock' | 'journal' | 'signal'>;

/** What ends a run early is thrown again, because none of it is a verdict. The journal can always be judged. */
export async function recordRun(settings: RunSettings, equipment: RunEquipment): Promise<void> {
  const { plan, target } = settings;
  const { wire, clock, journal, signal } = equipment;
  const now = (): string => new Date(clock.now().wall).toISOString();
  const { keys, baseUrl, headers } = target;
  const session = new Session({ ...equipment, keys, baseUrl, headers });
  const end = (how: 'finished' | 'interrupted' | 'failed', because: string): void =>
    journal.append({ kind: 'end', how, because, finishedAt: now() });
  // A request under way ends with its connection.
  const interrupt = (): void => void wire.closeConnections();
  signal?.addEventListener('abort', interrupt);
  journal.append(firstLine(settings, now()));
  try {
    await runProbes(plan, new Pacer(session, plan.inputs.limits), baseUrlText(target.baseUrl));
    end('finished', 'every probe ran');
  } catch (error) {
    if (error instanceof TargetLostError || error instanceof WrongTargetError) end('failed', error.message);
    else if (signal?.aborted === true) end('interrupted', 'the run was interrupted');
    throw error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    await wire.closeConnections();
  }
}

async function runProbes(plan: RunPlan, pacer: Pacer, baseUrl: string): Promise<void> {
  for (const { probe } of plan.probes) {
    pacer.session.beginProbe(probe.id);
    await probe.run(pacer, plan.inputs);
    const headline = wrongTarget(baseUrl, pacer.session.exchanges);
    if (headline !== undefined) throw new WrongTargetError(`${headline.text} ${headline.fix}`);
  }
}

/** The first line of the journal: what is tested, against which specification, and with which inputs. */
function firstLine(settings: RunSettings, startedAt: string): RunLine {
  const { plan, target, furtherLimits, specification, selection, product } = settings;
  const { limits, otherKey, exhaustedKey, disposableKey, exclusiveKey, thorough, openapi } = plan.inputs;
  const spendDay = plan.inputs.spendDay === true;
  return definedFields({
    kind: 'run' as const,
    journalVersion: 3 as const,
    suite: SUITE,
    spec: specification,
    target: definedFields({
      baseUrl: baseUrlText(target.baseUrl),
      plan: plan.inputs.plan,
      bundled: target.bundled,
    }),
    product,
    furtherPlans: furtherLimits,
    limits,
    inputs: {
      otherKey,
      exhaustedKey,
      disposableKey,
      exclusiveKey,
      thorough,
      spendDay,
      openapi: openapi !== undefined,
    },
    selection,
    probes: plan.probes.map(({ probe, cost }) => ({ id: probe.id, requests: requestsOf(cost) })),
    startedAt,
  });
}

/** A run whose target could not be reached, or stopped responding. */
export class LostRunError extends UserError {
  /** Whether the journal holds a response to judge. */
  readonly judgeable: boolean;
  constructor(message: string, judgeable: boolean) {
    super(message);
    this.judgeable = judgeable;
  }
}

/** How OpenSSL describes a response that is not TLS, and a server that accepts none of the offered protocols: HTTP/1.1. */
const OTHER_PROTOCOLS: readonly (readonly [words: RegExp, what: string])[] = [
  [
    /wrong version number|packet length too long/i,
    'it does not speak TLS at this address; check the port, or begin the address with http://.',
  ],
  [
    /no application protocol/i,
    'it does not speak HTTP/1.1, which the run uses; enable HTTP/1.1 there, or in a gateway in front of it.',
  ],
];

const CHECK_PROTOCOL =
  'Check whether the address begins with the right one of http:// and https://, and whether the server speaks HTTP/1.1 and not only HTTP/2.';

/** What to check where the very first request got no response, by the cause. */
const WHAT_TO_CHECK: Readonly<Partial<Record<NoResponseCause, string>>> = {
  tls: 'Check its certificate and its versions of TLS.',
  dns: 'Check the spelling of the host name.',
  refused: 'Check that the server is running, and the host and port.',
  malformed: 'Leave the status line to the HTTP library of the service, or to its gateway.',
  protocol: CHECK_PROTOCOL,
  reset: CHECK_PROTOCOL,
  timeout:
    'A service that starts with its first request may need longer: run again once it responds. Otherwise check the address, and whether a firewall or a proxy blocks the way.',
};

export function lostRunError(
  error: TargetLostError,
  access: TargetAccess,
  judgeable: boolean,
  names: InputNames,
): LostRunError {
  if (judgeable) return new LostRunError(error.message, judgeable);
  const { outcome } = error.exchange;
  const { cause = 'timeout', detail = '' } = outcome.kind === 'no-response' ? outcome : {};
  const other = OTHER_PROTOCOLS.find(([words]) => words.test(detail))?.[1];
  if (other !== undefined) return new LostRunError(`The target could not be reached: ${other}`, judgeable);
  const authority = { given: access.certificateAuthority !== undefined, input: names.ca };
  const advice = (cause === 'tls' ? tlsAdvice(detail, authority) : undefined) ?? WHAT_TO_CHECK[cause];
  const proxy = access.proxied
    ? ' The proxy of the environment is in use (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).'
    : '';
  return new LostRunError(`${error.message} ${advice}${proxy}`, judgeable);
}
