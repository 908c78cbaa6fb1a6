import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Commands } from '../evaluation/testing/tools/fake-host.ts';
import { ended, fakeHost, program } from '../evaluation/testing/tools/fake-host.ts';
import { findChromium } from './chromium.ts';

const SAYS = 'Chromium 156.0.8078.73 built on Debian\n';

describe('a Chromium', () => {
  let folder = '';
  let playwrightPath = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chromium-'));
    playwrightPath = join(folder, 'playwright', 'chrome');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const system = () => program(join(folder, 'bin', 'chromium'), SAYS);

  it('of CHROMIUM_BIN comes first', async () => {
    const mine = await program(join(folder, 'mine'), 'Google Chrome 150.0.1\n');
    await program(playwrightPath, SAYS);
    const host = fakeHost(folder);
    const found = await findChromium({
      host: { ...host, env: { ...host.env, CHROMIUM_BIN: mine } },
      playwrightPath,
    });
    assert.ok(
      found.kind === 'found' && found.path === mine && found.version === 'Google Chrome 150.0.1'.slice(7),
    );
  });

  it('of CHROMIUM_BIN that is not there is never replaced by another', async () => {
    await system();
    const host = fakeHost(folder);
    const env = { ...host.env, CHROMIUM_BIN: join(folder, 'mine') };
    const found = await findChromium({ host: { ...host, env }, playwrightPath });
    assert.ok(found.kind === 'missing');
    assert.deepEqual(found.tried, [`there is no executable at ${join(folder, 'mine')}`]);
  });

  it('of Playwright comes before one of the system', async () => {
    await program(playwrightPath, SAYS);
    await system();
    const found = await findChromium({ host: fakeHost(folder), playwrightPath });
    assert.ok(found.kind === 'found' && found.path === playwrightPath);
  });

  it('that does not start is passed over', async () => {
    await program(playwrightPath, 'cannot open shared object file');
    const path = await system();
    const found = await findChromium({ host: fakeHost(folder), playwrightPath });
    assert.ok(found.kind === 'found' && found.path === path);
  });

  it('gives up its sandbox to root alone, and calls nobody', async () => {
    await system();
    for (const root of [true, false]) {
      const found = await findChromium({ host: { ...fakeHost(folder), root }, playwrightPath });
      assert.ok(found.kind === 'found');
      assert.equal(found.args.includes('--no-sandbox'), root);
      assert.ok(found.args.includes('--disable-background-networking'));
    }
  });

  describe('that is missing', () => {
    let ran: string[] = [];
    const commands = (installed: 'playwright' | 'apt-get'): Commands => {
      const command = (name: string) => async (args: readonly string[]) => {
        ran.push(`${name} ${args.find((arg) => /^[a-z]+$/.test(arg))}`);
        if (installed === name) await system();
        return installed === name ? ended('') : ended('Error: out of reach\n    at stack.js:1\n', 1);
      };
      return { [process.execPath]: command('playwright'), 'apt-get': command('apt-get') };
    };

    beforeEach(async () => {
      ran = [];
      await program(join(folder, 'bin', 'apt-get'), '');
    });

    it('is installed by Playwright', async () => {
      const found = await findChromium({
        host: fakeHost(folder, commands('playwright')),
        playwrightPath,
        install: true,
      });
      assert.equal(found.kind, 'found');
      assert.deepEqual(ran, ['playwright install']);
    });

    it('is installed by apt, as root, where Playwright cannot', async () => {
      const host = { ...fakeHost(folder, commands('apt-get')), root: true };
      const found = await findChromium({ host, playwrightPath, install: true });
      assert.equal(found.kind, 'found');
      assert.deepEqual(ran, ['playwright install', 'apt-get update', 'apt-get install']);
    });

    it('is not installed by apt for a user who may not', async () => {
      const host = fakeHost(folder, commands('apt-get'));
      const found = await findChromium({ host, playwrightPath, install: true });
      assert.ok(found.kind === 'missing');
      assert.deepEqual(ran, ['playwright install']);
      assert.deepEqual(found.tried.slice(1), [
        'playwright install chromium: out of reach',
        'apt-get: only root on Debian or Ubuntu can use it',
      ]);
    });

    it('is only said where nothing is to be installed', async () => {
      const found = await findChromium({ host: fakeHost(folder, commands('playwright')), playwrightPath });
      assert.equal(found.kind, 'missing');
      assert.deepEqual(ran, []);
    });
  });
});
