import { UserError } from '../../kernel/basics/errors.ts';
import { definedFields } from '../../kernel/basics/json.ts';
import { didYouMean } from '../../kernel/basics/text.ts';
import type { Fault } from '../../reference-server/catalogue/faults/fault.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../reference-server/catalogue/variants/index.ts';
import type { ServerOptions } from '../../reference-server/http/server.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { OptionValues } from '../options/table.ts';

/** How the bundled server behaves, and which keys a run against it needs. */
export interface Behaviour {
  readonly server: Pick<ServerOptions, 'algorithm' | 'seams'>;
  /** For the preview: `algorithm gcra`, `fault list-206`. */
  readonly description: readonly string[];
  /** Whether the server bans, which shows only with a key that keeps sending. */
  readonly bans: boolean;
  readonly fault: Fault | undefined;
  /** Whether its two keys of a plan belong to one caller. */
  readonly oneCaller: boolean;
}

/**
 * Reads the behaviour of the bundled server.
 * @throws {UserError} when there is no such behaviour, or two are given.
 */
export function readBehaviour({ algorithm, fault, variant }: OptionValues): Behaviour {
  if (fault !== undefined && variant !== undefined) {
    throw new UserError('--fault and --variant cannot be combined: give only one of them.');
  }
  const named = algorithm === undefined ? undefined : readAlgorithm(algorithm);
  const injected = fault === undefined ? undefined : findFault(fault);
  const conforming = variant === undefined ? undefined : findVariant(variant);
  return {
    server: definedFields({
      algorithm: named ?? conforming?.algorithm,
      seams: injected ?? conforming,
    }),
    description: [
      ...(named === undefined ? [] : [`algorithm ${named}`]),
      ...(injected === undefined ? [] : [`fault ${injected.id}`]),
      ...(conforming === undefined ? [] : [`variant ${conforming.id}`]),
    ],
    bans:
      conforming?.testedWith === 'a disposable key' ||
      (injected !== undefined &&
        [...injected.breaks, ...injected.warnings].some((one) => one.startsWith('BAN-'))),
    oneCaller: conforming?.testedWith === 'no second key',
    fault: injected,
  };
}

function readAlgorithm(name: string): AlgorithmName {
  const found = algorithms.find((one) => one === name);
  if (found !== undefined) return found;
  throw new UserError(
    `There is no algorithm "${name}": choose one of ${algorithms.join(', ')}.${didYouMean(name, algorithms)}`,
  );
}
