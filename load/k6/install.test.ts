import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { thisHost } from './host.ts';
import { installRelease, k6Pin } from './install.ts';

test('a release as its publisher packs it is unpacked to the file alone', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'k6-release-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'k6-v2.2.0-linux-amd64'));
  await writeFile(join(folder, 'k6-v2.2.0-linux-amd64', 'k6'), 'the program');
  execFileSync('tar', ['-czf', 'k6.tar.gz', 'k6-v2.2.0-linux-amd64'], { cwd: folder });
  const archive = await readFile(join(folder, 'k6.tar.gz'));

  const host = { ...thisHost(), platform: 'linux', arch: 'x64', download: () => Promise.resolve(archive) };
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const path = join(folder, 'cache', 'k6');
  await installRelease(host, { ...k6Pin, archives: { 'linux-x64': { file: 'k6.tar.gz', sha256 } } }, path);

  assert.equal(await readFile(path, 'utf8'), 'the program');
  assert.deepEqual(await readdir(join(folder, 'cache')), ['k6']);
});

test('the pin names one version, and a whole SHA-256 for each archive', async () => {
  for (const { file, sha256 } of Object.values(k6Pin.archives)) {
    assert.ok(file.startsWith(`k6-v${k6Pin.version}-`), file);
    assert.match(sha256, /^[0-9a-f]{64}$/);
  }
  const module = await readFile(new URL('./go.mod', import.meta.url), 'utf8');
  assert.ok(module.includes(`tool ${k6Pin.module}\n`));
  assert.ok(
    module.includes(`${k6Pin.module} v${k6Pin.version} `),
    'go.mod pins another version than pin.json',
  );
  assert.ok(module.includes(`\ngo ${k6Pin.goVersion}.`), 'go.mod needs another Go than pin.json says');
});
