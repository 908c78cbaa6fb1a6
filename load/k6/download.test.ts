import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { download } from './download.ts';

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
