import type { Fault, Variant } from '../catalogue/index.ts';
import { findFault, findVariant } from '../catalogue/index.ts';
import type { AlgorithmName, ServerOptions } from '../reference-server/index.ts';
import { algorithms } from '../reference-server/index.ts';
import { nearest } from '../words/nearest.ts';
import { UserError } from '../words/user-error.ts';

/** The options that tell the bundled server how to behave. */
export interface BehaviourOptions {
  readonly algorithm?: string;
  readonly fault?: string;
  readonly variant?: string;
}

/** How the bundled server behaves, and what an examination of it needs besides. */
export interface Behaviour {
  readonly server: Pick<ServerOptions, 'algorithm' | 'seams'>;
  /** For people: `algorithm gcra`, `fault list-206`. */
  readonly told: readonly string[];
  /** It shows only to a key that keeps sending. */
  readonly bans: boolean;
  /** Its two keys of a plan are one caller. */
  readonly oneCaller: boolean;
}

/**
 * Reads how the bundled server is to behave.
 * @throws {UserError | UnknownEntryError} when there is no such behaviour, or two are asked for at once.
 */
export function readBehaviour({ algorithm, fault, variant }: BehaviourOptions): Behaviour {
  if (fault !== undefined && variant !== undefined) {
    throw new UserError(
      '--fault and --variant cannot be given together: the one violates, the other conforms.',
    );
  }
  const named = algorithm === undefined ? undefined : readAlgorithm(algorithm);
  const given = named === undefined ? [] : [`algorithm ${named}`];
  if (fault !== undefined) return ofFault(findFault(fault), named, given);
  if (variant !== undefined) return ofVariant(findVariant(variant), named, given);
  return { server: limitedBy(named), told: given, bans: false, oneCaller: false };
}

function ofFault(fault: Fault, algorithm: AlgorithmName | undefined, given: readonly string[]): Behaviour {
  const { id, breaks, warnings = [] } = fault;
  return {
    server: { ...limitedBy(algorithm), seams: fault },
    told: [...given, `fault ${id}`],
    bans: [...breaks, ...warnings].some((one) => one.startsWith('BAN-')),
    oneCaller: false,
  };
}

function ofVariant(
  variant: Variant,
  algorithm: AlgorithmName | undefined,
  given: readonly string[],
): Behaviour {
  return {
    server: { ...limitedBy(algorithm ?? variant.algorithm), seams: variant },
    told: [...given, `variant ${variant.id}`],
    bans: variant.testedWith === 'a disposable key',
    oneCaller: variant.testedWith === 'no second key',
  };
}

const limitedBy = (algorithm: AlgorithmName | undefined): Behaviour['server'] =>
  algorithm === undefined ? {} : { algorithm };

function readAlgorithm(name: string): AlgorithmName {
  const found = algorithms.find((one) => one === name);
  if (found !== undefined) return found;
  const likely = nearest(name, algorithms);
  const hint = likely === undefined ? '' : ` Did you mean "${likely}"?`;
  throw new UserError(`There is no algorithm "${name}"; there are ${algorithms.join(', ')}.${hint}`);
}
