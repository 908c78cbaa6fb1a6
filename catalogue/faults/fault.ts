import type { Seams } from '../../reference-server/seams.ts';
import type { BytesSeam } from '../../reference-server/transmission.ts';
import type { RequirementId } from '../../spec/register.ts';
import type { Applies } from './answers.ts';
import { mapHeader, onReply } from './answers.ts';

/** What is known of a way to be wrong, beside the wrapper that makes it. */
interface Described {
  /** Permanent, in kebab-case; what `--fault` takes. */
  readonly id: string;
  /** What the server does wrong, in one sentence. */
  readonly says: string;
  /** The requirements that are violated: an examination must fail each of them and no other. */
  readonly breaks: readonly RequirementId[];
  /** The requirements of which an examination must warn, and not more. */
  readonly warns?: readonly RequirementId[];
  /** Given where no sound examination can lay the fault at the target's door. */
  readonly undecidable?: Undecidable;
  /** What an examination must fail instead where the user states that no other client uses the key. */
  readonly exclusively?: readonly RequirementId[];
  /** Where real software does this: a repository's issue, a default, a release. */
  readonly seen: string;
}

/** Why a fault passes: nothing may fail for it, or a conforming service would fail as well. */
export interface Undecidable {
  /** The requirement that would speak of it. */
  readonly about: RequirementId;
  /** The proof, in whole sentences: which conforming service looks the same, or what it would cost to tell. */
  readonly because: string;
}

/** A fault of the service, which shows in its answers whatever carries them; in virtual time, too. */
interface ServiceFault extends Described, Omit<Seams, 'wrapBytes'> {
  readonly kind?: 'service';
}

/** A fault of the bytes of answers, which shows over real sockets only. */
export interface BytesFault extends Described {
  readonly kind: 'bytes';
  readonly wrapBytes: BytesSeam;
}

/**
 * One way to be wrong, as one small object: what it is, which requirements it
 * breaks, and the wrapper that makes it. It changes nothing else, so that an
 * examination can be asked to find exactly it.
 */
export type Fault = ServiceFault | BytesFault;

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
