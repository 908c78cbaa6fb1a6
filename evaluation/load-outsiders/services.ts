import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lastLineOf, thisHost, toolCache } from '../../load/k6/host.ts';
import type { Built } from '../outsiders/build.ts';

/** A service that was written from the specification alone, with a switch for faults under load. */
export interface LoadOutsider {
  /** The name of its folder. */
  readonly name: string;
  readonly language: string;
  /** How it serves and limits, for a reader who knows limiters. */
  readonly limiter: string;
  /** What builds it, in its folder; the first command shows whether the language is on the machine. */
  readonly steps: readonly (readonly string[])[];
  readonly start: readonly string[];
}

/** Every service. */
export const loadOutsiders: readonly LoadOutsider[] = [
  {
    name: 'go',
    language: 'Go',
    limiter: 'net/http, a goroutine for each request; a sliding log for each key',
    steps: [
      ['go', 'version'],
      ['go', 'build', '-o', 'petstore', '.'],
    ],
    start: ['./petstore'],
  },
  {
    name: 'python',
    language: 'Python',
    limiter: 'asyncio, one thread; fixed windows that begin with the first request of a key',
    steps: [['python3', '--version']],
    start: ['python3', 'app.py'],
  },
];

/** Builds a service in the tool cache. */
export async function buildLoadOutsider({ name, steps, start }: LoadOutsider): Promise<Built> {
  const host = thisHost();
  const folder = join(toolCache(host), 'load-outsiders', name);
  await cp(fileURLToPath(new URL(`services/${name}`, import.meta.url)), folder, { recursive: true });
  for (const [command = '', ...rest] of steps) {
    const result = await host.run(command, rest, { timeoutSeconds: 300, cwd: folder });
    if (result.kind === 'ended' && result.code === 0) continue;
    return { kind: 'missing', why: `${command} ${rest.join(' ')}: ${lastLineOf(result)}` };
  }
  return { kind: 'built', folder, command: start };
}
