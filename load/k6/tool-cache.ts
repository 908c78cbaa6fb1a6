import { isAbsolute, join } from 'node:path';
import type { Host } from './host.ts';

/**
 * The folder, outside the tree, in which tools are kept from one run to the next:
 * where the user's system keeps caches, as the XDG Base Directory Specification,
 * macOS and Windows each have it.
 */
export function toolCache(host: Host): string {
  return join(cacheHome(host), 'petstore-conformance');
}

function cacheHome({ env, platform, home }: Host): string {
  const xdg = env['XDG_CACHE_HOME'];
  // "All paths set in these environment variables must be absolute": a relative one is to be ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Caches');
  return join(home, '.cache');
}
