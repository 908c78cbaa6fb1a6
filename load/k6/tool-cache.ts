import { userFolder } from '../user-folders.ts';
import type { Host } from './host.ts';

/** The folder, outside the tree, in which tools are kept from one run to the next. */
export const toolCache = (host: Host): string => userFolder('cache', host);
