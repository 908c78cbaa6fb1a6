import { fileURLToPath } from 'node:url';
import { goBuild } from './go-build.ts';
import type { Host } from './host.ts';
import type { K6Pin } from './pin.ts';

/**
 * Builds k6 from the source that `go.sum` pins, and installs it at `path`.
 * @throws {Error} with a clause for a person; no file remains then.
 */
export const buildFromSource = (host: Host, { module, goVersion }: K6Pin, path: string): Promise<void> =>
  goBuild(host, { folder: fileURLToPath(new URL('.', import.meta.url)), package: module, goVersion, path });
