import { userFolder } from '../../kernel/basics/user-folders.ts';
import type { Host } from './host.ts';

/** The folder, outside the working tree, in which installed tools are kept. */
export const toolCache = (host: Host): string => userFolder('cache', host);
