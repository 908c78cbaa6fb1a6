import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../reference-server/catalogue/variants/index.ts';
import type { RunningServer, ServerOptions } from '../../reference-server/http/server.ts';
import { startServer as startBareServer } from '../../reference-server/http/server.ts';
import { composed } from '../../reference-server/seams.ts';
import { loadPlans } from '../../spec/plans.ts';

export type { RunningServer } from '../../reference-server/http/server.ts';
export type { AlgorithmName } from '../../reference-server/limiters/index.ts';
export type { Seams } from '../../reference-server/seams.ts';
export type { DemoKeys } from '../../reference-server/service/callers.ts';
export type { PlanLimits, Plans } from '../../spec/plans.ts';

/** A server for tests. Every field is optional; without any it conforms. */
export interface TestServerOptions extends Partial<Omit<ServerOptions, 'seams' | 'clock'>> {
  /** Ids of faults, as `petstore-conformance serve --list faults` lists them; several are built into each other in this order. */
  readonly faults?: readonly string[];
  /** The id of a conforming variant, as `petstore-conformance serve --list variants` lists them. */
  readonly variant?: string;
}

/**
 * Starts the reference server on loopback, for the tests of a client or of a harness. `keys.free[0]` is a key of the
 * plan Free; the plans are those of the specification unless others are given (a `minuteSeconds` of 1 makes tests
 * quick). Close it when the test ends.
 * @throws {UserError} when a fault, a variant or a port does not exist or cannot be used.
 */
export function startServer(options: TestServerOptions = {}): Promise<RunningServer> {
  const { faults = [], variant, plans = loadPlans(), ...rest } = options;
  const chosen = variant === undefined ? undefined : findVariant(variant);
  const algorithm = rest.algorithm ?? chosen?.algorithm;
  const seams = composed(...(chosen === undefined ? [] : [chosen]), ...faults.map(findFault));
  return startBareServer({ ...rest, plans, seams, ...(algorithm === undefined ? {} : { algorithm }) });
}
