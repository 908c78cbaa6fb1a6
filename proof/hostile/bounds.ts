import type { Attack } from './attack.ts';

/** Memory of the whole process that no attack may exceed unless its row says otherwise, in megabytes. */
const MEGABYTES = 512;

/** What an attack may cost: megabytes of the command's memory, Node itself included, and seconds of its time. */
export const boundsOf = ({ megabytes = MEGABYTES, seconds }: Attack) => ({ megabytes, seconds });
