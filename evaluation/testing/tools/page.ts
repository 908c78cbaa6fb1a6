import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Tests that what is stated equals the page that people read: whoever changes a judge or a probe sees in its difference
 * what follows. `WRITE_PAGES=1` writes it again.
 * @param path from the root of the project.
 */
export function assertPage(path: string, stated: string): void {
  if (process.env['WRITE_PAGES'] === '1') writeFileSync(path, stated);
  assert.equal(stated, readFileSync(path, 'utf8'), `where it is meant, WRITE_PAGES=1 writes ${path} again`);
}
