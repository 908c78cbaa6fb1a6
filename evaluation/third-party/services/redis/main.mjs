// The Pet Store Service as two processes of Node that share a Redis. Connections go to them in turn.
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from './counting.mjs';
import { anonymous, limited } from './gate.mjs';
import { fail, is, settings } from './settings.mjs';
import { connectTo } from './store.mjs';

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return undefined;
  }
}

const isText = (value) => typeof value === 'string';

async function create(redis, key, request, response) {
  const body = await read(request);
  const { name, description } = body ?? {};
  const valid = isText(name) && name !== '' && (description === undefined || isText(description));
  if (!valid || Array.isArray(body)) {
    if (is('bad-requests-cost-two')) await counted(redis, settings.minute, key, request);
    return fail(response, 400, 'invalid_body', 'The body needs a name.');
  }
  const one = { id: await redis('INCR', 'id'), name, ...(description === undefined ? {} : { description }) };
  await redis('RPUSH', 'categories', JSON.stringify(one));
  response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(one));
}

async function handle(redis, request, response) {
  const { pathname } = new URL(request.url, 'http://service');
  const key = await (settings.callerOf(request) ? limited : anonymous)(redis, request, response);
  if (key === undefined) return;
  if (pathname === '/v1/categories') {
    if (request.method === 'POST') return create(redis, key, request, response);
    if (request.method !== 'GET') return fail(response, 405, 'method_not_allowed', 'No such method.');
    const rows = await redis('LRANGE', 'categories', '0', '-1');
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(`[${rows.join(',')}]`);
  }
  const named = pathname === '/v1/store/orders' || pathname.startsWith('/v1/pets/');
  if (named) return fail(response, 501, 'not_implemented', 'Not implemented yet.');
  fail(response, 404, 'not_found', 'No such operation.');
}

async function waitFor(path) {
  for (;;) {
    try {
      return await connectTo(path);
    } catch {
      await sleep(30);
    }
  }
}

const socket = `${settings.scratch}/redis.sock`;
if (cluster.isPrimary) {
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', settings.scratch];
  spawn('redis-server', options, { stdio: 'ignore' });
  await waitFor(socket);
  for (const WORKER of ['0', '1']) cluster.fork({ WORKER });
} else {
  const redis = await waitFor(socket);
  createServer((request, response) => {
    handle(redis, request, response).catch(() => fail(response, 500, 'internal', 'Something broke.'));
  }).listen(settings.port, '127.0.0.1');
}
