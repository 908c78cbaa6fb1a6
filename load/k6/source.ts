import { fileURLToPath } from 'node:url';
import { goBuild } from './go-build.ts';
import type { Host } from './host.ts';
import type { Pin } from './pin.ts';

/**
 * Builds k6 from the source that `go.sum` pins, and puts it at `path`.
 * @throws {Error} with a clause for a person; nothing is left behind then.
 */
export const buildFromSource = (host: Host, { module, goVersion }: Pin, path: string): Promise<void> =>
  goBuild(host, { folder: fileURLToPath(new URL('.', import.meta.url)), package: module, goVersion, path });
