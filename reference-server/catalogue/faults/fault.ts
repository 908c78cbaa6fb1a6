import type { RequirementId } from '../../../spec/register.ts';
import type { Seams } from '../../seams.ts';

/**
 * What a user can give to a run besides the key under test, so that more shows: a further key, or an option.
 * With a used day the run uses the daily quota, and has no exhausted key.
 */
export type RunOption = 'exclusive key' | 'disposable key' | 'thorough' | 'used day';

/** What is stated about a fault, besides its id and its wrapper. */
interface FaultDescription {
  /** What the server does wrong, in one sentence. */
  readonly description: string;
  /** The requirements that are violated: a run must fail each of them and no other. */
  readonly breaks?: readonly RequirementId[];
  /** The requirements that get `warn` in a run. */
  readonly warnings?: readonly RequirementId[];
  /** Given where no sound run can fail a requirement because of the fault. */
  readonly undecidable?: Undecidable;
  /** What every run against it is given, because nothing of it shows otherwise. */
  readonly needs?: readonly RunOption[];
  /** The requirements that a run must fail instead of `breaks` if it is given this option as well. */
  readonly breaksWith?: Readonly<Partial<Record<RunOption, readonly RequirementId[]>>>;
  /** Where real software does this: the issue in a repository, a default, a release. */
  readonly seenIn: string;
}

/** Why a fault turns nothing red without an option: a judge that fails it would fail a conforming service, too. */
export interface Undecidable {
  /** The requirement that the fault would violate. */
  readonly requirement: RequirementId;
  /** The proof, in whole sentences: which conforming service looks the same, or what it would cost to tell them apart. */
  readonly because: string;
}

/**
 * One way to violate the specification, as one small object: its description,
 * the requirements that it breaks, and its wrapper. It changes nothing else, so
 * that a run must find exactly these requirements violated.
 */
export interface StatedFault extends FaultDescription, Seams {}

/** Faults by their ids: permanent, in kebab-case, the values of `--fault`. */
export type StatedFaults = Readonly<Record<string, StatedFault>>;

/** A fault with its id, in which nothing is left out. */
export type Fault = StatedFault & { readonly id: string } & Required<
    Pick<FaultDescription, 'breaks' | 'warnings' | 'needs' | 'breaksWith'>
  >;

/** Whether a fault is one of the bytes of responses, visible over sockets only. */
export const isOfBytes = ({ wrapBytes }: Fault): boolean => wrapBytes !== undefined;

/** The options with which a run fails other requirements because of this fault than without them. */
export const decidingOptions = ({ breaksWith }: Fault): readonly RunOption[] =>
  Object.keys(breaksWith) as RunOption[];
