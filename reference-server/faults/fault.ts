import type { RequirementId } from '../../spec/register.ts';
import type { Seams } from '../seams.ts';
import type { Applies } from './answers.ts';
import { mapHeader, onReply } from './answers.ts';

/**
 * One way to be wrong, as one small object: what it is, which requirements it
 * breaks, and the wrapper that makes it. It changes nothing else, so that an
 * examination can be asked to find exactly it.
 */
export interface Fault extends Seams {
  /** Permanent, in kebab-case; what `--fault` takes. */
  readonly id: string;
  /** What the server does wrong, in one sentence. */
  readonly says: string;
  /** The requirements that are violated: an examination must fail each of them and no other. */
  readonly breaks: readonly RequirementId[];
  /** The requirements of which an examination must warn, and not more. */
  readonly warns?: readonly RequirementId[];
  /** Where real software does this: a repository's issue, a default, a release. */
  readonly seen: string;
}

/** A fault that writes one header otherwise on some answers. */
export function headerFault(
  id: string,
  says: string,
  header: string,
  how: {
    readonly applies: Applies;
    readonly change: (value: string) => string;
    readonly breaks: RequirementId;
    readonly seen: string;
  },
): Fault {
  const { applies, change, breaks, seen } = how;
  return {
    id,
    says,
    breaks: [breaks],
    seen,
    ...onReply(applies, (reply) => mapHeader(reply, header, change)),
  };
}
