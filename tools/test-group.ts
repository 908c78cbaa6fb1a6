import hooks from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Runs several test files in one process. The runner of Node 20 follows every promise, to find the test in which another
// is declared, which takes an eighth of the time of simulated runs. Here it follows those of a file only until the file is
// loaded. What no test of the file catches later fails the file. Hence node:test is loaded after this.

const { createHook } = hooks;
let following: hooks.AsyncHook | undefined;
hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  following = createHook(callbacks);
  return following;
};

/**
 * Runs files one after the other. Each is a suite of its own, so that its hooks apply to its own tests only and the
 * report names the file.
 * @param taken a folder, where processes that share the files note which of them they took
 */
export async function runFiles(
  files: readonly (readonly [name: string, url: string])[],
  taken: string,
): Promise<void> {
  const { after, describe } = await import('node:test');
  for (const [at, [name, url]] of files.entries()) {
    if (!takes(join(taken, String(at)))) continue;
    following?.enable();
    await new Promise<void>((resolve) => {
      describe(name, async () => {
        // The next suite must not become part of this one.
        after(() => void setImmediate(resolve));
        await import(url);
        following?.disable();
      });
    });
  }
}

/** Whether no other process has taken this before. */
function takes(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
