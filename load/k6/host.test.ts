import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { download, thisHost } from './host.ts';
import { installRelease, k6Pin } from './install.ts';

test('a command does not outlive the program that ran it', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = temporaryFolder(t);
  const script = `
    import { existsSync } from 'node:fs';
    import { thisHost } from '${new URL('host.ts', import.meta.url)}';
    void thisHost().run('sh', ['-c', 'echo $$ > pid.part; mv pid.part pid; exec sleep 30'], {
      cwd: process.env.FOLDER, timeoutSeconds: 60,
    });
    setInterval(() => existsSync(process.env.FOLDER + '/pid') && process.exit(0), 10);`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const program = spawn(process.execPath, args, { env: { ...process.env, FOLDER: folder }, stdio: 'ignore' });
  assert.deepEqual(await once(program, 'exit'), [0, null]);
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  for (let tries = 0; runs(pid) && tries < 200; tries += 1) await delay(10);
  assert.equal(runs(pid), false);
});

/** Whether a process with this id exists. */
function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const LIMITS = { connectSeconds: 2, totalSeconds: 0.5, bytes: 1000 };

describe('a download', () => {
  const server = createServer((request, response) => {
    if (request.url === '/file') response.end('the file');
    else if (request.url === '/large') response.end('x'.repeat(1001));
    else if (request.url === '/silent') response.write('the beg');
    else response.writeHead(404).end();
  });
  let origin = '';

  before(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    origin = `http://127.0.0.1:${address.port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is the bytes that were sent', async () => {
    assert.equal(Buffer.from(await download(`${origin}/file`, LIMITS)).toString(), 'the file');
  });

  for (const [path, message] of [
    ['/large', /^Error: 127\.0\.0\.1:\d+: the file has more than 1000 bytes$/],
    ['/missing', /: the response was 404$/],
    ['/silent', /: .*timeout/],
  ] as const) {
    it(`of ${path} ends with a clause for a person`, async () => {
      await assert.rejects(download(`${origin}${path}`, LIMITS), message);
    });
  }

  it('from a closed port reports the error', async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await assert.rejects(download(`${origin}/file`, LIMITS), /^Error: 127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });
});

test('a release as its publisher packs it is unpacked to the file alone', async (t) => {
  const folder = temporaryFolder(t);
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
