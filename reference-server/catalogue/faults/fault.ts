import type { RequirementId } from '../../../spec/register.ts';
import type { Seams } from '../../seams.ts';

/**
 * What a user can give to a run besides the key under test, so that more shows: a further key, or an option.
 * With a used day the run uses the daily quota, and has no exhausted key.
 */
export type RunOption = 'exclusive key' | 'disposable key' | 'thorough' | 'used day';

/**
 * One way to violate the specification, as one small object: its description,
 * the requirements that it breaks, and its wrapper. It changes nothing else, so
 * that a run must find exactly these requirements violated.
 */
export interface StatedFault extends Seams {
  /** What the server does wrong, in one sentence. */
  readonly description: string;
  /** The requirements that are violated: a run must fail each of them and no other. */
  readonly breaks?: readonly RequirementId[];
  /** The requirements that get `warn` in a run. */
  readonly warnings?: readonly RequirementId[];
  /**
   * Given where no sound run can fail the first requirement of `breaksWith` without that option, or that of `violates` at all.
   * The proof, in complete sentences: which conforming service looks the same, or what it would cost to tell them apart.
   */
  readonly undecidable?: string;
  /** What an undecidable fault violates where no option shows it. */
  readonly violates?: RequirementId;
  /** What every run against it is given, because nothing of it shows otherwise. */
  readonly needs?: readonly RunOption[];
  /** The requirements that a run must fail instead of `breaks` if it is given this option as well. */
  readonly breaksWith?: Readonly<Partial<Record<RunOption, readonly RequirementId[]>>>;
  /** Where real software does this: the issue in a repository, a default, a release. */
  readonly seenIn: string;
}

/** Faults by their ids: permanent, in kebab-case, the values of `--fault`. */
export type StatedFaults = Readonly<Record<string, StatedFault>>;

/** A fault with its id, in which nothing is left out. */
export type Fault = Omit<StatedFault, 'undecidable' | 'violates'> & {
  readonly id: string;
  readonly undecidable?: { readonly requirement: RequirementId; readonly because: string };
} & Required<Pick<StatedFault, 'breaks' | 'warnings' | 'needs' | 'breaksWith'>>;

export function faultOf(id: string, { undecidable: because, violates, ...stated }: StatedFault): Fault {
  const fault = { id, breaks: [], warnings: [], needs: [], breaksWith: {}, ...stated };
  const requirement = violates ?? Object.values(fault.breaksWith).flat()[0];
  if (because === undefined || requirement === undefined) return fault;
  return { ...fault, undecidable: { requirement, because } };
}

/** Whether a fault is one of the bytes of responses, visible over sockets only. */
export const isOfBytes = ({ wrapBytes }: Fault): boolean => wrapBytes !== undefined;

/** The options with which a run fails other requirements because of this fault than without them. */
export const decidingOptions = ({ breaksWith }: Fault): readonly RunOption[] =>
  Object.keys(breaksWith) as RunOption[];
