import type { Attack } from './attack.ts';

/** Memory of the whole process that no attack may exceed unless its row says otherwise, in megabytes. */
const MEGABYTES = 512;

/** Time of a processor, likewise, in seconds: unlike time by the clock it does not depend on what else the machine does. */
const CPU_SECONDS = 15;

/** What an attack may cost the command: megabytes of memory and seconds of a processor, Node itself included. */
export const boundsOf = ({ megabytes = MEGABYTES, cpuSeconds = CPU_SECONDS }: Attack) => ({
  megabytes,
  cpuSeconds,
});
