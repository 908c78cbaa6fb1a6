import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findK6 } from './find.ts';
import { thisHost } from './host.ts';

const k6 = await findK6({ install: false });
const skip = k6.kind === 'missing' && `k6 is missing; npm run provision installs it. ${k6.advice}`;

const SCRIPT = `
import http from 'k6/http';
export const options: { vus: number; iterations: number } = { vus: 1, iterations: 5 };
export default function (): void {
  http.get(__ENV.TARGET);
}
`;

test('the k6 that is found sends five requests from a script in TypeScript', { skip }, async (t) => {
  assert.ok(k6.kind === 'found');
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const folder = await mkdtemp(join(tmpdir(), 'k6-smoke-'));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  await writeFile(join(folder, 'smoke.ts'), SCRIPT);

  const ran = await thisHost().run(k6.path, ['run', '--quiet', 'smoke.ts'], {
    cwd: folder,
    timeoutSeconds: 60,
    env: {
      TARGET: `http://127.0.0.1:${address.port}/`,
      // Without these, k6 sends a usage report and downloads extensions.
      K6_NO_USAGE_REPORT: 'true',
      K6_AUTO_EXTENSION_RESOLUTION: 'false',
    },
  });
  assert.ok(ran.kind === 'ended', JSON.stringify(ran));
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal(requests, 5);
});
