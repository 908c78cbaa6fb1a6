/**
 * The requests of a burst and nothing else: the cost of k6 itself, as the baseline for
 * the script of the load profiles. Run by k6, not by Node.
 */
import { list, sendAll } from './burst.js';

export { options } from './burst.js';

export const burst = () => sendAll(list);
