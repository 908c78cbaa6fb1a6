import { UserError } from '../../kernel/basics/errors.ts';
import { didYouMean } from '../../kernel/basics/text.ts';
import type { Fault } from '../../reference-server/catalogue/faults/fault.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { findVariant } from '../../reference-server/catalogue/variants/index.ts';
import type { Variant } from '../../reference-server/catalogue/variants/variant.ts';
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
  readonly fault?: Fault;
  /** Whether its two keys of a plan belong to one caller. */
  readonly oneCaller: boolean;
}

/**
 * Reads the behaviour of the bundled server.
 * @throws {UserError | UnknownEntryError} when there is no such behaviour, or two are given.
 */
export function readBehaviour({ algorithm, fault, variant }: OptionValues): Behaviour {
  if (fault !== undefined && variant !== undefined) {
    throw new UserError('--fault and --variant cannot be combined: give only one of them.');
  }
  const named = algorithm === undefined ? undefined : readAlgorithm(algorithm);
  const given = named === undefined ? [] : [`algorithm ${named}`];
  if (fault !== undefined) return ofFault(findFault(fault), named, given);
  if (variant !== undefined) return ofVariant(findVariant(variant), named, given);
  return { server: limitedBy(named), description: given, bans: false, oneCaller: false };
}

function ofFault(fault: Fault, algorithm: AlgorithmName | undefined, given: readonly string[]): Behaviour {
  const { id, breaks, warnings } = fault;
  return {
    server: { ...limitedBy(algorithm), seams: fault },
    description: [...given, `fault ${id}`],
    bans: [...breaks, ...warnings].some((one) => one.startsWith('BAN-')),
    oneCaller: false,
    fault,
  };
}

function ofVariant(
  variant: Variant,
  algorithm: AlgorithmName | undefined,
  given: readonly string[],
): Behaviour {
  return {
    server: { ...limitedBy(algorithm ?? variant.algorithm), seams: variant },
    description: [...given, `variant ${variant.id}`],
    bans: variant.testedWith === 'a disposable key',
    oneCaller: variant.testedWith === 'no second key',
  };
}

const limitedBy = (algorithm: AlgorithmName | undefined): Behaviour['server'] =>
  algorithm === undefined ? {} : { algorithm };

function readAlgorithm(name: string): AlgorithmName {
  const found = algorithms.find((one) => one === name);
  if (found !== undefined) return found;
  throw new UserError(
    `There is no algorithm "${name}": choose one of ${algorithms.join(', ')}.${didYouMean(name, algorithms)}`,
  );
}
