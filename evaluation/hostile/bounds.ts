import type { Attack } from './attack.ts';

/** The memory that the process may use, in megabytes, unless the attack has a bound of its own. */
const MEGABYTES = 512;

/** The CPU time, likewise, in seconds. Unlike elapsed time, it does not depend on the load of the machine. */
const CPU_SECONDS = 15;

/** The memory and the CPU time that the command may use against this attack, including those of Node. */
export const costBoundsOf = ({ megabytes = MEGABYTES, cpuSeconds = CPU_SECONDS }: Attack) => ({
  megabytes,
  cpuSeconds,
});
