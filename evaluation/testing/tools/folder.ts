import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that is removed when a test ends, or with `{ after }` of `node:test`, when those around it have. */
export function temporaryFolder(test: { readonly after: (done: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
