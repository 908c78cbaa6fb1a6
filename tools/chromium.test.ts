import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { ended, fakeHost, program } from '../evaluation/testing/tools/fake-host.ts';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { findChromium } from './chromium.ts';

const SAYS = 'Chromium 156.0.8078.73 built on Debian\n';

/** A machine with a place for Playwright's Chromium and one for that of the system. */
function machine(t: TestContext) {
  const folder = temporaryFolder(t);
  const system = () => program(join(folder, 'bin', 'chromium'), SAYS);
  return { folder, system, playwrightPath: join(folder, 'playwright', 'chrome') };
}

describe('a Chromium', () => {
  it('of CHROMIUM_BIN comes first', async (t) => {
    const { folder, playwrightPath } = machine(t);
    const mine = await program(join(folder, 'mine'), 'Google Chrome 150.0.1\n');
    await program(playwrightPath, SAYS);
    const host = fakeHost(folder);
    const env = { ...host.env, CHROMIUM_BIN: mine };
    const found = await findChromium({ host: { ...host, env }, playwrightPath });
    assert.ok(found.kind === 'found' && found.path === mine && found.version === 'Chrome 150.0.1');
  });

  it('gives up its sandbox to root alone, and calls nobody', async (t) => {
    const { folder, system, playwrightPath } = machine(t);
    await system();
    for (const root of [true, false]) {
      const found = await findChromium({ host: { ...fakeHost(folder), root }, playwrightPath });
      assert.ok(found.kind === 'found');
      assert.equal(found.args.includes('--no-sandbox'), root);
      assert.ok(found.args.includes('--disable-background-networking'));
    }
  });

  it('that is missing is installed by apt, as root, where Playwright cannot', async (t) => {
    const { folder, system, playwrightPath } = machine(t);
    await program(join(folder, 'bin', 'apt-get'), '');
    const commands = {
      [process.execPath]: async () => ended('Error: out of reach\n    at stack.js:1\n', 1),
      async 'apt-get'(args: readonly string[]) {
        if (args.includes('install')) await system();
        return ended('');
      },
    };
    const host = { ...fakeHost(folder, commands), root: true };
    const found = await findChromium({ host, playwrightPath, install: true });
    assert.equal(found.kind, 'found');
  });
});
